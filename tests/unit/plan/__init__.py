"""halfpixel.plan."""
