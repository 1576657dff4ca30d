"""What mathematics says of every resize, tried by hypothesis on requests it invents.

The ordinary run tries the same 50 examples of each law every time; HALFPIXEL_LAW_EXAMPLES=1000 tries so many new ones.
"""
