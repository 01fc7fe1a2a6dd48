"""Writes canaille.toml and a database with one user and the clients into the current folder, by the product's own commands.

seed.py ISSUER USER PASSWORD REDIRECT_URI SECRET 'CLIENT_ID TOKEN_ENDPOINT_AUTHENTICATION'...
"""

import json
import os
import sys

from joserfc.jwk import RSAKey

issuer, user, password, redirect_uri, secret, *clients = sys.argv[1:]
scheme, server = issuer.split("://")

key = RSAKey.generate_key(2048, auto_kid=True).as_dict(private=True)
members = ", ".join(f"{name} = {json.dumps(value)}" for name, value in key.items())
# The database's path is relative to where the product is started, so that a copy of this folder is a provider of its own.
with open("canaille.toml", "w") as file:
    file.write(
        f"""SECRET_KEY = "a-test-provider-on-loopback-0123456789"
SERVER_NAME = "{server}"
PREFERRED_URL_SCHEME = "{scheme}"

[CANAILLE]
DATABASE = "sql"

[CANAILLE_SQL]
DATABASE_URI = "sqlite:///canaille.sqlite"

[CANAILLE_OIDC]
DYNAMIC_CLIENT_REGISTRATION_OPEN = true
ACTIVE_JWKS = [{{ {members} }}]
"""
    )
os.environ["CANAILLE_CONFIG"] = os.path.abspath("canaille.toml")

from canaille.commands import cli  # noqa: E402  (reads the configuration named above)


def canaille(*arguments):
    cli.main(list(arguments), prog_name="canaille", standalone_mode=False)


canaille("install")
canaille(
    *("create", "user", "--user-name", user, "--password", password, "--emails", f"{user}@idp.example"),
    *("--given-name", "Alice", "--family-name", "Lab", "--formatted-name", "Alice Lab", "--display-name", user),
)
for client in clients:
    client_id, authentication = client.split()
    lists = {
        "--grant-types": ["authorization_code", "implicit", "refresh_token"],
        # "token" as well: the product looks up each word of a response type by itself.
        "--response-types": [
            *("code", "token", "id_token", "id_token token"),
            *("code id_token", "code token", "code id_token token"),
        ],
        "--scope": ["openid", "profile", "email", "address", "phone", "groups", "offline_access"],
    }
    canaille(
        *("create", "client", "--client-id", client_id, "--client-secret", secret, "--client-name", client_id),
        *("--client-uri", "https://relying-party.example", "--redirect-uris", redirect_uri),
        *("--token-endpoint-auth-method", authentication),
        *(word for option, values in lists.items() for value in values for word in (option, value)),
    )
    # The product's registration form makes a client its own audience; the command line does not.
    canaille("set", "client", client_id, "--audience", client_id)
