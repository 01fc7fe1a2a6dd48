"""The trees that PyYAML makes: texts in hexadecimal on standard input, one a line, trees as JSON on standard output.

A tree is a list of its nodes, one a line: depth, kind, place, and of a scalar style, tag and text. The tag of a plain
scalar that has none is not looked at: how it is meant is for its reader to say.
"""

import json
import sys

import yaml


class Loader(yaml.SafeLoader):
    """PyYAML's own scanner and parser, not its binding to libyaml."""

    def compose_scalar_node(self, anchor):
        event = self.peek_event()
        node = super().compose_scalar_node(anchor)
        node.is_open = event.implicit[0] and not event.style
        return node


STYLES = {None: "plain", "": "plain", "'": "singleQuoted", '"': "doubleQuoted", "|": "literal", ">": "folded"}


def lines(node, depth=0, within=()):
    if node in within:
        raise RecursionError("a circle")
    place = f"{node.start_mark.line + 1}:{node.start_mark.column + 1}"
    if isinstance(node, yaml.ScalarNode):
        tag = "?" if node.is_open else node.tag.removeprefix("tag:yaml.org,2002:")
        yield f"{depth} scalar {place} {STYLES[node.style]} {tag} {node.value}"
    elif isinstance(node, yaml.SequenceNode):
        yield f"{depth} sequence {place}"
        for element in node.value:
            yield from lines(element, depth + 1, (*within, node))
    else:
        yield f"{depth} mapping {place}"
        for pair in node.value:
            for part in pair:
                yield from lines(part, depth + 1, (*within, node))


def outcome(text):
    try:
        root = yaml.compose(text, Loader=Loader)
        return {"refused": "nothing there"} if root is None else {"tree": list(lines(root))}
    except RecursionError:
        return {"tree": ["a circle"]}
    except (yaml.YAMLError, UnicodeError, ValueError) as error:
        return {"refused": " ".join(str(error).split())}


json.dump([outcome(bytes.fromhex(line)) for line in sys.stdin.read().splitlines()], sys.stdout)
