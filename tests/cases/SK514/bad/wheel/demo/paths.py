import os

TIDES = os.path.join(os.path.dirname(__file__), ".agents", "skills", "tide-tables", "SKILL.md")
