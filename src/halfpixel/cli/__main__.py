"""`python -m halfpixel.cli`, the same as `halfpixel`."""

from halfpixel.cli import main

main()
