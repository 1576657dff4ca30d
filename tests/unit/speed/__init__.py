"""halfpixel.peers: what is timed is the same work, and numbers are told as they are."""
