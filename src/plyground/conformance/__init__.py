"""What authors of plug-ins call to have their games, heuristics, searches and players checked."""

from plyground.conformance.checks import check_heuristic, check_player, check_rules, check_search

__all__ = ["check_heuristic", "check_player", "check_rules", "check_search"]
