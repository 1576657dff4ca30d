"""Other libraries, where they mean to compute the same: agreement, and a strict list of the known deviations.

deviations.toml names every case in which a peer differs or refuses. A case that is not listed must agree, and one that
is listed must not: a peer that was mended is as much news as one that broke.
"""
