"""Compares the configurations of a folder with preflight.schema.json, using jsonschema.

    validate-configurations.py FOLDER

A file that ends with .configuration is JSON: the text, and the problems that the program's own reader found. The schema must accept
a text that the reader accepts. It must reject a text that the reader rejects because of a key, a type or a value of a closed list.
Prints the counts and the differences; exits with 1 if there is a difference or no file.
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
    """Plain scalars of the core schema of YAML 1.2 (section 10.3.2), as editors use it: no dates, and yes is a string."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("int", r"^[-+]?[0-9]+$", "-+0123456789"),
    # Without an exponent: editors read 1e3 as a number, the program does not, and a schema cannot express this.
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)$", "-+.0123456789"),
):
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), list(first))

# Problems of structure, as opposed to values that do not suit the provider.
STRUCTURE = re.compile(
    "unknown key|” is missing|must be (?:a string|a list|a mapping|a number|a non-negative number|a duration|true or false|a whole number|an integer|the path)"
    "|is not a (?:supported (?:response type|client authentication|(?:signing )?algorithm|method)|valid audience|status)"
    "|there is no profile|unknown check|a secret must not be in the configuration|must have env or file|has both env and file"
    "|a step (?:needs|either)|must map the name of each target|the name of a target|a target cannot contain"
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
            different.append(("only the reader accepts it", text, ["invalid YAML"]))
        continue
    errors = [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(tree)]
    taken, refused = taken + (not problems), refused + bool(problems)
    # An editor does not know a variable's value, and a key missing in one target may be elsewhere in the file.
    plain = [one for one in problems if "the value comes from" not in one and not ("targets" in text and "is missing" in one)]
    if errors and not problems:
        different.append(("only the reader accepts it", text, errors))
    if not errors and any(STRUCTURE.search(one) for one in plain):
        different.append(("only the schema accepts it", text, problems))
for what, text, why in different[:20]:
    print(f"{what}: {text!r}\n  " + "\n  ".join(why[:3]), file=sys.stderr)
print(f"{taken} valid and {refused} invalid configurations: {len(different)} differences from the schema")
sys.exit(1 if different or not taken else 0)
