"""A sentence as the readers of facts need it: tokens, tags, chunks, clauses."""
