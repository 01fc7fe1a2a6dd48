"""An ordinary code flow in Python: documents, sign-in page, code, ID Token, UserInfo. code_flow.py CONFIG CA

Uses client and user of the reference provider's configuration, and secrets from the environment. Prints the subject.
"""

import base64
import hashlib
import html.parser
import os
import secrets
import sys
import urllib.parse

import requests
import yaml
from joserfc import jwt
from joserfc.jwk import KeySet

configuration = yaml.safe_load(open(sys.argv[1]))
client, redirect_uri = configuration["client"]["id"], configuration["redirect_uri"]
session = requests.Session()
session.trust_env = False  # else the environment's CA file would replace the provider's
session.verify = sys.argv[2]


class Forms(html.parser.HTMLParser):
    """The first form of a page: its action, and its fields with their values."""

    def __init__(self, text):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = attributes.get("action", "")
        elif tag in ("input", "button") and attributes.get("name"):
            self.fields.setdefault(attributes["name"], attributes.get("value", ""))


metadata = session.get(configuration["issuer"] + "/.well-known/openid-configuration").json()
keys = KeySet.import_key_set(session.get(metadata["jwks_uri"]).json())
state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
answer = session.get(
    metadata["authorization_endpoint"],
    params={
        "response_type": "code", "client_id": client, "redirect_uri": redirect_uri, "scope": "openid profile email",
        "state": state, "nonce": nonce, "code_challenge": challenge, "code_challenge_method": "S256",
    },
    allow_redirects=False,
)  # fmt: skip
for _ in range(10):
    if answer.is_redirect:
        address = urllib.parse.urljoin(answer.url, answer.headers["Location"])
        if address.startswith(redirect_uri):
            break
        answer = session.get(address, allow_redirects=False)
        continue
    forms = Forms(answer.text)
    fields = forms.fields
    for name in fields:
        if "user" in name:
            fields[name] = configuration["sign_in"]["username"]
        elif "password" in name:
            fields[name] = os.environ["OIDC_PASSWORD"]
    answer = session.post(urllib.parse.urljoin(answer.url, forms.action), data=fields, allow_redirects=False)
response = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(address).query))
assert response["state"] == state
tokens = session.post(
    metadata["token_endpoint"],
    data={
        "grant_type": "authorization_code", "code": response["code"], "redirect_uri": redirect_uri,
        "code_verifier": verifier,
    },
    auth=(client, os.environ["OIDC_CLIENT_SECRET"]),
).json()  # fmt: skip
token = jwt.decode(tokens["id_token"], keys, algorithms=metadata["id_token_signing_alg_values_supported"])
jwt.JWTClaimsRegistry(
    iss={"essential": True, "value": configuration["issuer"]},
    aud={"essential": True, "value": client},
    nonce={"essential": True, "value": nonce},
    exp={"essential": True},
).validate(token.claims)
person = session.get(metadata["userinfo_endpoint"], headers={"Authorization": f"Bearer {tokens['access_token']}"}).json()
assert person["sub"] == token.claims["sub"]
print(person["sub"])
