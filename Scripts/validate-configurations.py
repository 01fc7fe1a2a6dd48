"""Holds the configurations of a folder to preflight.schema.json with jsonschema.

    validate-configurations.py FOLDER

A file that ends with .configuration is JSON: the text, and the problems that the program's own reader found. What the reader takes
the schema must take, and what it refuses for a key, a type or a word of a closed list the schema must refuse. Prints how many there were
and where the two differ; exits 1 for a difference, or where there was no file.
"""
import json
import pathlib
import re
import sys

import yaml
from jsonschema import Draft7Validator

schema = json.loads((pathlib.Path(__file__).resolve().parent.parent / "preflight.schema.json").read_text())
Draft7Validator.check_schema(schema)
validator = Draft7Validator(schema)


class Loader(yaml.SafeLoader):
    """Plain scalars as in the core schema of YAML 1.2 (section 10.3.2), which editors read by: no dates, and yes is a text."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("int", r"^[-+]?[0-9]+$", "-+0123456789"),
    # Without an exponent: editors take 1e3 for a number, the program does not, and no schema can tell that.
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)$", "-+.0123456789"),
):
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), list(first))

# What is wrong with the text itself, and not with what it says of the provider.
STRUCTURE = re.compile(
    "unknown key|” is missing|must be (?:a string|a list|a mapping|a number|a non-negative number|a duration|true or false|a whole number|the path)"
    "|is no (?:response type|client authentication|audience|algorithm|method|status)"
    "|there is no profile|no check is called|a secret is never written here|must name env or file|names both env and file"
    "|a step (?:tells|either)|must map the name of each target|the name of a target|a target cannot contain"
)

taken = refused = 0
different = []
for file in sorted(pathlib.Path(sys.argv[1]).glob("*.configuration")):
    case = json.loads(file.read_text())
    text, problems = case["text"], case["problems"]
    try:
        tree = yaml.load(text, Loader)
    except yaml.YAMLError:
        if not problems:
            different.append(("the reader alone takes it", text, ["invalid YAML"]))
        continue
    errors = [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(tree)]
    taken, refused = taken + (not problems), refused + bool(problems)
    # What a variable holds no editor knows; what one target lacks another place of the file may have.
    plain = [one for one in problems if "the value comes from" not in one and not ("targets" in text and "is missing" in one)]
    if errors and not problems:
        different.append(("the reader alone takes it", text, errors))
    if not errors and any(STRUCTURE.search(one) for one in plain):
        different.append(("the schema alone takes it", text, problems))
for what, text, why in different[:20]:
    print(f"{what}: {text!r}\n  " + "\n  ".join(why[:3]), file=sys.stderr)
print(f"{taken} configurations that are right and {refused} that are not: {len(different)} differences from the schema")
sys.exit(1 if different or not taken else 0)
