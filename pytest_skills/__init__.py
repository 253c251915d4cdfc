"""The pytest face: every SKILL.md becomes test items."""
