"""halfpixel.run_node."""
