"""Claims and facts by a language model."""
