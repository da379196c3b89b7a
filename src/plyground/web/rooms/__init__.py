"""Games that people and programs play on the server: who sits where, who watches, what is kept."""
