"""A corpus of documents: read, cut into frames, indexed, ranked for a claim.

In: files or rows; later a claim. Out: passages in windows, the best first.
"""
