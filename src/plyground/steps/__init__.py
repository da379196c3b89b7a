"""Pictures of searches: the tree that a search visits, and what it does step by step in the lines of its source."""
