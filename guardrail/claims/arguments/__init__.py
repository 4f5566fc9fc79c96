"""The arguments of a fact: noun phrases with their exact places, conditions, and what a name must be."""
