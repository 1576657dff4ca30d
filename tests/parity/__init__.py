"""Random requests against the oracle of exact fractions (tests.oracles).

The ordinary run takes 400 nodes and 100 gradients. HALFPIXEL_PARITY_NODES=4000 takes that many nodes and a quarter as
many gradients; node number i is the same in every run, so a failing test is run again by its number.
"""
