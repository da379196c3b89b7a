"""The messages between the referee and bots."""
