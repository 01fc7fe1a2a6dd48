"""Creates the scopes, the user, the OpenID Connect plug-in and the client through the administration interface.

seed.py BASE ISSUER USER PASSWORD REDIRECT_URI CLIENT_ID CLIENT_SECRET      (in the folder of key.pem and public.pem)
"""

import http.cookiejar
import json
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

base, issuer, user, password, redirect_uri, client_id, client_secret = sys.argv[1:]
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
)


def send(method, path, body=None):
    request = urllib.request.Request(
        f"{base}/api/{path}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    try:
        return opener.open(request, timeout=30).read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()}")


for attempt in range(150):
    try:
        opener.open(f"{base}/config", timeout=5).read()
        break
    except OSError:
        time.sleep(0.1)

# The account that the database begins with.
send("POST", "auth", {"username": "admin", "password": "password"})

signed_in = {"password_required": True, "password_max_age": 0, "scheme": {}}
for scope in ["profile", "email"]:
    send("POST", "scope/", {"name": scope, "display_name": scope, "description": scope, **signed_in})
send("PUT", "scope/openid", {"name": "openid", "display_name": "openid", "description": "openid", **signed_in})

account = {"username": user, "password": password, "name": "Alice Lab", "email": f"{user}@idp.example", "enabled": True}
send("POST", "user/", {**account, "scope": ["g_profile", "openid", "profile", "email"]})

settings = {
    "iss": issuer,
    "jwt-type": "rsa",
    "jwt-key-size": "256",
    "key": Path("key.pem").read_text(),
    "cert": Path("public.pem").read_text(),
    "access-token-duration": 3600,
    "refresh-token-duration": 1209600,
    "code-duration": 600,
    "refresh-token-rolling": True,
    "allow-non-oidc": False,
    "auth-type-code-enabled": True,
    "auth-type-code-revoke-replayed": True,
    "auth-type-token-enabled": True,
    "auth-type-implicit-enabled": True,
    "auth-type-none-enabled": True,
    "auth-type-password-enabled": False,
    "auth-type-client-enabled": True,
    "auth-type-refresh-enabled": True,
    "auth-type-device-enabled": False,
    "allowed-scope": ["openid", "profile", "email"],
    "subject-type": "public",
    "pkce-allowed": True,
    "pkce-method-plain-allowed": False,
    "jwks-show": True,
    "request-parameter-allow": True,
    "request-uri-allow-https-non-secure": False,
    "introspection-revocation-allowed": True,
    "introspection-revocation-allow-target-client": True,
    "session-management-allowed": True,
    "session-cookie-name": "GLEWLWYD2_OIDC_SID",
    "session-cookie-expiration": 2419200,
    "front-channel-logout-allowed": True,
    "back-channel-logout-allowed": True,
    "client-jwks-parameter": "jwks",
    "client-jwks_uri-parameter": "jwks_uri",
    "client-pubkey-parameter": "pubkey",
    "name-claim": "on-demand",
    "name-claim-scope": ["profile"],
    "email-claim": "on-demand",
    "email-claim-scope": ["email"],
    "scope-claim": "no",
    "scope-claim-scope": [],
    "claims": [
        {
            "name": "preferred_username",
            "user-property": "username",
            "type": "string",
            "mandatory": False,
            "on-demand": True,
            "scope": ["profile"],
        }
    ],
    "address-claim": {"type": "no"},
    "register-client-allowed": True,
    "register-client-auth-scope": [],
    "register-client-credentials-scope": [],
    "register-client-management-allowed": True,
    "register-resource-specify-allowed": False,
    "register-resource-default": [],
}
plugin = {"module": "oidc", "name": "oidc", "display_name": "OpenID Connect", "enabled": True, "parameters": settings}
send("POST", "mod/plugin/", plugin)

client = {
    "client_id": client_id,
    "name": client_id,
    "enabled": True,
    "confidential": True,
    "client_secret": client_secret,
    "password": client_secret,
    "scope": [],
    "redirect_uri": [redirect_uri],
    "authorization_type": ["code", "token", "id_token", "none", "refresh_token", "client_credentials"],
    "token_endpoint_auth_method": ["client_secret_basic", "client_secret_post"],
}
send("POST", "client/", client)
