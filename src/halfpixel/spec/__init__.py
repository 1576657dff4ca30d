"""What the standard says: operators, versions, attributes, element types, output lengths and coordinates.

Pure Python on plain numbers: no array is seen here, and nothing but the standard library is imported.
"""
