"""How the referee talks with bots."""
