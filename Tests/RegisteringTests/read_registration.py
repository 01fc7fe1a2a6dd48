"""Reads registrations with independent parsers, and validates them.

Standard input: a JSON list of {"format": "json" | "hcl" | "yaml" | "python" | "argo-cd", "schema": path or null, "text": …}.
Standard output: a JSON list of {"value": …} or {"error": …}, in the same order.
"""

import ast
import json
import re
import sys

import hcl2
import yaml
from jsonschema import Draft202012Validator

ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


def unescaped(raw):
    """The text of a quoted template (HCL native syntax, "Template Expressions"); python-hcl2 leaves it as written."""
    if re.search(r"[$%]\{", raw):
        raise ValueError("a template sequence: " + raw[:200])

    def one(match):
        word = match.group(1)
        if word[0] in "uU":
            return chr(int(word[1:], 16))
        return ESCAPES[word]

    return re.sub(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", one, raw, flags=re.S)


def plain(value):
    """The value of an expression: texts unescaped, references as {"reference": …}, block marks left out."""
    if isinstance(value, dict):
        return {unquoted(name): plain(inner) for name, inner in value.items() if not name.startswith("__")}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    if isinstance(value, str):
        if value.startswith('"'):
            return unescaped(value[1:-1])
        if value.startswith("${") and value.endswith("}"):
            return {"reference": value[2:-1]}
    return value


def unquoted(name):
    return unescaped(name[1:-1]) if name.startswith('"') else name


def terraform(text):
    parsed = hcl2.loads(text)
    result = {}
    for kind, blocks in parsed.items():
        if kind.startswith("__"):
            continue
        result[kind] = {}
        for block in blocks:
            result[kind].update(plain(block))
    return result


def no_repetition(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("a member stands twice: %r" % names)
    return dict(pairs)


def python(text):
    """The settings of a configuration of JupyterHub: assignments to c.CLASS.NAME, of literals or of os.environ[…]."""
    result = {}
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Import):
            continue
        place = statement.targets[0]
        assert isinstance(place.value.value, ast.Name) and place.value.value.id == "c"
        value = statement.value
        if isinstance(value, ast.Subscript):
            assert ast.unparse(value.value) == "os.environ"
            value = {"reference": ast.literal_eval(value.slice)}
        else:
            value = ast.literal_eval(value)
        result.setdefault(place.value.attr, {})[place.attr] = value
    return result


def argo_cd(text):
    """A patch of argocd-cm, whose value is YAML in itself."""
    patch = yaml.safe_load(text)
    patch["data"]["oidc.config"] = yaml.safe_load(patch["data"]["oidc.config"])
    return patch


READERS = {
    "argo-cd": argo_cd,
    "python": python,
    "json": lambda text: json.loads(text, object_pairs_hook=no_repetition),
    "yaml": yaml.safe_load,
    "hcl": terraform,
}


def read(item):
    try:
        value = READERS[item["format"]](item["text"])
    except Exception as error:  # any exception of a parser is its verdict
        return {"error": "%s: %s" % (type(error).__name__, str(error)[:500])}
    if item.get("schema"):
        with open(item["schema"], encoding="utf-8") as file:
            schema = json.load(file)
        Draft202012Validator.check_schema(schema)
        errors = ["%s %s" % (e.json_path, e.message[:200]) for e in Draft202012Validator(schema).iter_errors(value)]
        if errors:
            return {"error": "; ".join(errors[:3]), "value": value}
    return {"value": value}


json.dump([read(item) for item in json.load(sys.stdin)], sys.stdout)
