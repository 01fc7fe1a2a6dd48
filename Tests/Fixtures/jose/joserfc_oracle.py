"""Checks tokens with joserfc and makes tokens with it, as an oracle that shares no code with the project.

Reads a JSON object from standard input: {"jws": [{alg, public, private, token, payload}], "jwe": [{alg, enc, public,
private, token, plaintext}]}, writes {"jws": [{accepted, token}], "jwe": [{accepted, token}]}.
"""
import json
import sys

from joserfc import jwe, jws
from joserfc.jwk import import_key


def judge_jws(row):
    algorithms = [row["alg"]]
    public, private = import_key(row["public"]), import_key(row["private"])
    try:
        accepted = jws.deserialize_compact(row["token"], public, algorithms=algorithms).payload == row["payload"].encode()
    except Exception as error:
        accepted = repr(error)
    return {
        "accepted": accepted,
        "token": jws.serialize_compact({"alg": row["alg"]}, row["payload"], private, algorithms=algorithms),
    }


def judge_jwe(row):
    algorithms = [row["alg"], row["enc"]]
    public, private = import_key(row["public"]), import_key(row["private"])
    try:
        opened = jwe.decrypt_compact(row["token"], private, algorithms=algorithms)
        accepted = opened.plaintext == row["plaintext"].encode()
    except Exception as error:
        accepted = repr(error)
    header = {"alg": row["alg"], "enc": row["enc"]}
    return {
        "accepted": accepted,
        "token": jwe.encrypt_compact(header, row["plaintext"], public, algorithms=algorithms),
    }


task = json.load(sys.stdin)
json.dump({"jws": [judge_jws(r) for r in task["jws"]], "jwe": [judge_jwe(r) for r in task["jwe"]]}, sys.stdout)
