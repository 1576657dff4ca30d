"""Ways to read the operators: the standard's, and those by which other implementations come to other numbers.

A reading is a frozen value; a change makes one reading of another; a search looks for the changes that reproduce given
numbers. Pure functions on arrays: no model, no runtime.
"""
