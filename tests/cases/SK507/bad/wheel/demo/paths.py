from pathlib import Path

TIDES = Path(__file__).parent / "SKILL.md"
LOST = str(TIDES)
UNKNOWN = input()
