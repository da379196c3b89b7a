"""The results of a tournament or a tuning, as text, Markdown, CSV, JSON or one HTML page."""
