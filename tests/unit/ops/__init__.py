"""halfpixel.ops."""
