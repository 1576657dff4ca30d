"""Survival: hostile calls, fork, many threads, memory that runs out."""
