"""Find the bug in a student's search: record its calls, check each node, try causes, report the first wrong node."""
