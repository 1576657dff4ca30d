"""halfpixel.torch."""
