"""Validates inputs of AWS operations with botocore's own service models, offline and without credentials.

Standard input: a JSON list of {"service": …, "operation": …, "text": …, "arguments": {…}}; the arguments are those of the
command line beside the file. Standard output: a JSON list of null, or what is wrong, in the same order.
"""

import json
import re
import sys

from botocore.loaders import Loader
from botocore.model import ServiceModel
from botocore.validate import ParamValidator

loader = Loader()


def wrong_texts(value, shape, place=""):
    """Checks the parts that ParamValidator leaves to the service: enumerations and patterns of strings."""
    if shape.type_name == "structure" and isinstance(value, dict):
        return sum((wrong_texts(value[n], s, place + "/" + n) for n, s in shape.members.items() if n in value), [])
    if shape.type_name == "list" and isinstance(value, list):
        return sum((wrong_texts(item, shape.member, place) for item in value), [])
    if shape.type_name == "map" and isinstance(value, dict):
        return sum((wrong_texts(item, shape.value, place + "/" + name) for name, item in value.items()), [])
    if shape.type_name != "string" or not isinstance(value, str):
        return []
    if shape.enum and value not in shape.enum:
        return ["%s is none of %s" % (place, ", ".join(shape.enum))]
    pattern = shape.metadata.get("pattern")
    # Patterns of the models are those of Java; Python does not know their categories of characters.
    if pattern and "\\p" not in pattern and not re.fullmatch(pattern, value):
        return ["%s does not match %s" % (place, pattern)]
    return []


def judge(item):
    model = ServiceModel(loader.load_service_model(item["service"], "service-2"), item["service"])
    shape = model.operation_model(item["operation"]).input_shape
    value = {**json.loads(item["text"]), **item["arguments"]}
    report = ParamValidator().validate(value, shape)
    if report.has_errors():
        return report.generate_report()
    return "; ".join(wrong_texts(value, shape)) or None


json.dump([judge(item) for item in json.load(sys.stdin)], sys.stdout)
