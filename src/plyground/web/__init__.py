"""The games in a browser: a server that knows the rules and a page that draws what it gets."""
