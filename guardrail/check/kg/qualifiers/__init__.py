"""What qualifies a fact: when it holds, negation, "only", ordinals and superlatives, terms of office."""
