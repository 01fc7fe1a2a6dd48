"""Writes the tokens and keys to verify: NAME.jwt, NAME.jwk, NAME.pem for each algorithm, and set.jwks with set.jwt. tokens.py FOLDER"""

import json
import pathlib
import sys

from joserfc import jws
from joserfc.jwk import ECKey, OKPKey, RSAKey

folder = pathlib.Path(sys.argv[1])
CLAIMS = json.dumps(
    {
        "iss": "https://idp.example.com", "sub": "248289761001", "aud": "my-client", "nonce": "n-0S6_WzA2Mj",
        "exp": 1311281970, "iat": 1311280970, "auth_time": 1311280969, "email": "user@example.com",
        "email_verified": True,
    },
    separators=(",", ":"),
)  # fmt: skip


def write(name, key, algorithm, kid=None):
    header = {"alg": algorithm} | ({"kid": kid} if kid else {})
    algorithms = [algorithm, "Ed25519"]
    (folder / f"{name}.jwt").write_text(jws.serialize_compact(header, CLAIMS, key, algorithms=algorithms))


for name, key in [
    ("RS256", RSAKey.generate_key(2048)),
    ("ES256", ECKey.generate_key("P-256")),
    ("EdDSA", OKPKey.generate_key("Ed25519")),
]:
    write(name, key, name)
    (folder / f"{name}.jwk").write_text(json.dumps(key.as_dict(private=False)))
    (folder / f"{name}.pem").write_bytes(key.as_pem(private=False))

keys = [RSAKey.generate_key(2048) for _ in range(4)]
# Generating 100 keys takes minutes: use four keys, each with 25 key IDs.
members = [keys[i % 4].as_dict(private=False) | {"kid": f"key-{i}", "use": "sig", "alg": "RS256"} for i in range(100)]
(folder / "set.jwks").write_text(json.dumps({"keys": members}))
write("set", keys[50 % 4], "RS256", kid="key-50")
