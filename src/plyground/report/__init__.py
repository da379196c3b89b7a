"""What a tournament says, as text, Markdown, CSV, JSON or one HTML page."""
