"""Problem packages of other tools: written (`export`), and tested with what judges in them (`verification`)."""
