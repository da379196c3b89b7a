"""The one answer to what is known of a position and its moves."""
