"""What a sentence needs of the text around it: whom "it" means, headings above a list."""
