"""halfpixel.layers."""
