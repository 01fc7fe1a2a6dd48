"""Signs and verifies OAuth 1.0 requests with oauthlib: JSON in, JSON out, one answer for each request."""

import json
import sys

from oauthlib.common import Request
from oauthlib.oauth1 import Client
from oauthlib.oauth1.rfc5849 import signature


def signed(row):
    """The Authorization field that oauthlib gives the request."""
    client = Client(
        row["key"],
        client_secret=row["secret"],
        resource_owner_key=row["token"] or None,
        resource_owner_secret=row["tokenSecret"] or None,
        callback_uri=row["callback"] or None,
        verifier=row["verifier"] or None,
        nonce=row["nonce"],
        timestamp=row["timestamp"],
    )
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if row["body"] else {}
    _, headers, _ = client.sign(row["url"], row["method"], row["body"] or None, headers)
    return headers["Authorization"]


def accepted(row, field):
    """Whether oauthlib accepts the signature of an Authorization field."""
    headers = {"Authorization": field}
    if row["body"]:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    collected = signature.collect_parameters(
        uri_query=row["url"].partition("?")[2], body=row["body"] or [], headers=headers, exclude_oauth_signature=False
    )
    request = Request(row["url"].partition("?")[0], row["method"])
    request.params = [pair for pair in collected if pair[0] != "oauth_signature"]
    request.signature = dict(collected)["oauth_signature"]
    return signature.verify_hmac_sha1(request, row["secret"], row["tokenSecret"])


answers = []
for row in json.load(sys.stdin):
    answers.append({"field": signed(row), "accepted": accepted(row, row["field"]), "forged": accepted(row, row["forged"])})
json.dump(answers, sys.stdout)
