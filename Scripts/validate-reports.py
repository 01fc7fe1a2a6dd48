"""Validates the JSON reports of a folder with the schemas in Reports/, using jsonschema.

    validate-reports.py FOLDER

Prints the numbers of reports, entries and errors; exits with 1 if there is an error or no report.
"""
import json
import pathlib
import sys

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

root = pathlib.Path(__file__).resolve().parent.parent / "Reports"
names = ("report.schema.json", "joint-report.schema.json", "targets-report.schema.json")
single, joint, targets = (json.loads((root / name).read_text()) for name in names)
registry = Resource.from_contents(single) @ Registry()
validators = {}
for name, schema in (("single", single), ("joint", joint), ("targets", targets)):
    Draft202012Validator.check_schema(schema)
    validators[name] = Draft202012Validator(schema, registry=registry)

counts = {"single": 0, "joint": 0, "targets": 0}
entries = 0
wrong = []
# Other JSON formats have a second extension, as in `report.ctrf.json`, and validators of their own.
for file in sorted(one for one in pathlib.Path(sys.argv[1]).glob("*.json") if one.suffixes == [".json"]):
    report = json.loads(file.read_text())
    kind = "targets" if "targets" in report else "joint" if "reports" in report else "single"
    counts[kind] += 1
    entries += sum(len(one.get("entries", [])) for one in report.get("reports", [report])) if kind != "targets" else 0
    wrong += [f"{file}: {error.json_path}: {error.message[:300]}" for error in validators[kind].iter_errors(report)]
for line in wrong[:20]:
    print(line, file=sys.stderr)
print(
    f"{counts['single']} reports for one platform and {counts['joint']} for several, {counts['targets']} for several targets, {entries} entries: "
    f"{len(wrong)} errors against the schemas"
)
sys.exit(1 if wrong or not sum(counts.values()) else 0)
