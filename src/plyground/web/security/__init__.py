"""Who may ask the server for what, and how much of it."""
