"""Bots in processes of their own, kept from the rest of the machine."""
