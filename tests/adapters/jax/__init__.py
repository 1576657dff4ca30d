"""halfpixel.jax."""
