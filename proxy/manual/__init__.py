"""The manual as pages of the server: Markdown to HTML, and sample calls of the HTTP API."""
