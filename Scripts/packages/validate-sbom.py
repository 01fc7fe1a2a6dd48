"""Validates a bill of materials with the schema of CycloneDX 1.5: validate-sbom.py FILE"""

import sys

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

with open(sys.argv[1], encoding="utf-8") as file:
    problem = JsonStrictValidator(SchemaVersion.V1_5).validate_str(file.read())
sys.exit(f"{sys.argv[1]}: {problem}" if problem else 0)
