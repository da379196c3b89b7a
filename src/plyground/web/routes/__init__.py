"""The JSON API, a module for each of its tags, and the page."""
