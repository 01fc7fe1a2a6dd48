import Conformance
import JSONTree

/// Faults of rules about the issuer, the discovery document and the key set.
extension Fault {
    static let issuerRules: [Fault] = [
        demand("the issuer has a port", .issuerPort, .stated, persona: .publicName),
        demand("the issuer's host has a way of its own", .issuerHosts, ["example.com"], persona: .publicName),
        demand("another provider is meant", .issuerOwners, ["https://one.example/"], persona: .publicName),
        // Nothing answers there: the check of the configuration speaks all the same.
        demand(
            "the issuer is at a link-local address",
            .issuerIsPublic,
            .stated,
            configure: { $0.issuer = "https://[fe80::1]:9" }
        ),
        demand("the issuer has more than ten characters", .issuerLength, 10),
    ]

    static let documentRules: [Fault] = [
        demand("a member is read that no provider has", .metadataMembers, ["issuer", "com.example.region"]),
        demand(
            "a member that is read is null",
            .metadataMembers,
            ["issuer", "com.example.region"],
            variant: "null",
            also: ["discovery.members.are-not-null"],
            change: { seams in seams.discovery = { document, _ in document["com.example.region"] = .null } }
        ),
        demand("pushed requests are to be required", .metadataFlags, ["require_pushed_authorization_requests"]),
        demand("only the device flow is used", .metadataResponseTypes, ["none"]),
        demand("ID Tokens are to be signed with EdDSA", .metadataAlgorithms, ["EdDSA", "Ed25519"]),
        demand("clients are to use certificates", .metadataAuthentication, ["tls_client_auth"]),
        demand(
            "nothing is stated, and the default will not do",
            .metadataAuthentication,
            ["client_secret_post"],
            variant: "default",
            persona: .minimal
        ),
        demand("groups are always asked for", .metadataScopes, ["openid", "groups"]),
        demand("implicit is to be off", .metadataGrants, ["password", "implicit"]),
        demand("the endpoints have a port", .metadataPorts, ["80", "443"], persona: .publicName),
        demand("no time is given", .documentSeconds, 0),
        demand("no time is given for the discovery document", .discoverySeconds, 0),
        demand("no time is given for the key set", .keySetSeconds, 0),
        demand("a hundred octets are read", .documentOctets, 100),
        demand("a hundred octets of the discovery document are read", .discoveryOctets, 100),
        demand(
            "the first request leads to another name of the host",
            .documentHosts,
            .stated,
            also: ["discovery.response.is-not-redirected"],
            change: { seams in
                let alternation = Alternation()
                seams.answer = { endpoint, answer in
                    guard endpoint == .discovery, alternation.isVeryFirst(), let port = port(in: answer.text) else {
                        return
                    }
                    answer.status = 302
                    answer.setHeader("Location", "https://localhost:\(port)/.well-known/openid-configuration")
                    answer.body = []
                }
            }
        ),
    ]

    static let keyRules: [Fault] = [
        demand(
            "neither key nor header has a kid",
            .keyIdentifiers,
            .stated,
            change: { seams in
                seams.keySet = { set in
                    let keys = (set["keys"]?.arrayValue ?? []).compactMap(\.objectValue)
                    set["keys"] = .array(
                        keys.map { key in .object(JSONObject(key.members.filter { $0.name != "kid" })) }
                    )
                }
                seams.setHeader("kid", nil)
            }
        ),
        demand("only Edwards curves are read", .keyTypes, ["OKP"]),
        demand("only elliptic curves are taken", .keyTypesOnly, ["EC"]),
        demand(
            "a key to agree on keys with beside the one that signs",
            .keyCurves,
            ["P-256", "P-384", "P-521", "Ed25519"],
            change: { seams in
                seams.keySet = { set in
                    var key = KeySample.okp
                    key["crv"] = "X25519"
                    key["use"] = "enc"
                    key["alg"] = "ECDH-ES"
                    set.append(.object(key), to: "keys")
                }
            }
        ),
        demand(
            "a certificate is refused",
            .keyMembers,
            ["kty", "use", "n", "e", "kid", "alg"],
            persona: .manyKeys
        ),
        demand("no key is taken", .keyCount, 0),
        demand("no RSA key is taken", .rsaKeyCount, 0),
        demand("no elliptic curve key is taken", .ecKeyCount, 0, persona: .manyKeys),
    ]

    /// The port of the first address in a document.
    private static func port(in text: String) -> Substring? {
        text.firstRange(of: "https://127.0.0.1:").map { text[$0.upperBound...].prefix(while: \.isNumber) }
    }
}
