"""Tournaments: schedules as values, games on any executor, every one kept in a store as soon as it is over."""
