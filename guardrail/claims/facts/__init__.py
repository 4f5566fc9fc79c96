"""From the clauses of a sentence to facts: flat triples, and extended ones with time, place and amount (FLEEK §2.1.1)."""
