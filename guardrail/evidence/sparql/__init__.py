"""A graph at a SPARQL 1.1 endpoint, read-only."""
