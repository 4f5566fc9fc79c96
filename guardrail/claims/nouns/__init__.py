"""Facts that stand in noun phrases: "the capital of France", "his wife Anna", "a French physicist (1867–1934)"."""
