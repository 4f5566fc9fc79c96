"""Evidence that came with the request: references, triplets, and documents pasted into messages."""
