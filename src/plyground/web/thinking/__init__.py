"""Processes that think for the server, and the queue before them."""
