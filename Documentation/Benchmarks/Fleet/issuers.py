"""Documents and keys of many issuers as files: issuers.py FOLDER BASE COUNT. Prints the list of issuers."""

import base64
import hashlib
import json
import os
import sys

folder, base, count = sys.argv[1], sys.argv[2], int(sys.argv[3])


def modulus(seed):
    octets = b"".join(hashlib.sha256(f"{seed}/{part}".encode()).digest() for part in range(8))
    octets = bytes([octets[0] | 0x80]) + octets[1:-1] + bytes([octets[-1] | 1])
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


for number in range(count):
    issuer = f"{base}/i/{number}"
    place = f"{folder}/i/{number}"
    os.makedirs(f"{place}/.well-known", exist_ok=True)
    document = {
        "issuer": issuer,
        "authorization_endpoint": issuer + "/authorize",
        "token_endpoint": issuer + "/token",
        "userinfo_endpoint": issuer + "/userinfo",
        "jwks_uri": issuer + "/keys",
        "scopes_supported": ["openid", "profile", "email"],
        "claims_supported": ["sub", "iss", "aud", "exp", "iat", "name", "email"],
        "response_types_supported": ["code", "id_token", "id_token token"],
        "response_modes_supported": ["query", "fragment"],
        "grant_types_supported": ["authorization_code", "implicit"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
    }
    with open(f"{place}/.well-known/openid-configuration", "w") as file:
        json.dump(document, file)
    keys = [
        {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": f"{number}-{index}", "e": "AQAB", "n": modulus(f"{issuer}/{index}")}
        for index in range(2)
    ]
    with open(f"{place}/keys", "w") as file:
        json.dump({"keys": keys}, file)
    print(issuer)
