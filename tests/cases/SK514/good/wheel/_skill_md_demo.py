import os.path as _p

_d = _p.dirname(__file__)
SKILL_MD_tide_tables = _p.realpath(_p.join(_d, "demo", ".agents", "skills", "tide-tables", "SKILL.md"))
