import Conformance
import JSONTree

/// Faults of rules about the issuer, the discovery document and the key set.
extension Fault {
    static let issuerRules: [Fault] = [
        demand("the issuer has a port", .issuerPort, .stated, persona: .publicName),
        demand(
            "the issuer's host is one that the platform excludes",
            .issuerHosts,
            ["example.com"],
            persona: .publicName
        ),
        demand("the issuer belongs to another provider", .issuerOwners, ["https://one.example/"], persona: .publicName),
        // Nothing listens there; the configuration check does not need a response.
        demand(
            "the issuer is at a link-local address",
            .issuerIsPublic,
            .stated,
            configure: { $0.issuer = "https://[fe80::1]:9" }
        ),
        demand("the issuer has more than ten characters", .issuerLength, 10),
    ]

    static let documentRules: [Fault] = [
        demand("a required metadata member is missing", .metadataMembers, ["issuer", "com.example.region"]),
        demand(
            "a required metadata member is null",
            .metadataMembers,
            ["issuer", "com.example.region"],
            variant: "null",
            also: ["discovery.members.are-not-null"],
            change: { hooks in hooks.discovery = { document, _ in document["com.example.region"] = .null } }
        ),
        demand(
            "require_pushed_authorization_requests is not true",
            .metadataFlags,
            ["require_pushed_authorization_requests"]
        ),
        demand("clients cannot register themselves", .clientIDSource, .stated, persona: .minimal),
        demand(
            "clients with metadata documents have no authentication method",
            .clientIDSource,
            .stated,
            variant: "documents",
            persona: .minimal,
            change: { hooks in
                hooks.discovery = { document, _ in document["client_id_metadata_document_supported"] = true }
            }
        ),
        demand("the response type none is not listed", .metadataResponseTypes, ["none"]),
        demand("neither EdDSA nor Ed25519 is listed for ID Tokens", .metadataAlgorithms, ["EdDSA", "Ed25519"]),
        demand("tls_client_auth is not listed", .metadataAuthentication, ["tls_client_auth"]),
        demand(
            "authentication methods are not listed, and the platform rejects the default",
            .metadataAuthentication,
            ["client_secret_post"],
            variant: "default",
            persona: .minimal
        ),
        demand("the scope groups is not listed", .metadataScopes, ["openid", "groups"]),
        demand("the grant type implicit is listed", .metadataGrants, ["password", "implicit"]),
        demand(
            "the issuer and endpoints have a port other than 80 and 443",
            .metadataPorts,
            ["80", "443"],
            persona: .publicName
        ),
        demand("the documents take longer than 0 seconds", .documentSeconds, 0),
        demand("the discovery document takes longer than 0 seconds", .discoverySeconds, 0),
        demand("the key set takes longer than 0 seconds", .keySetSeconds, 0),
        demand("the documents are longer than 100 bytes", .documentBytes, 100),
        demand("the discovery document is longer than 100 bytes", .discoveryBytes, 100),
        demand(
            "the first request for discovery is redirected to another host",
            .documentHosts,
            .stated,
            also: ["discovery.response.is-not-redirected"],
            change: { hooks in
                let call = FirstCall()
                hooks.answer = { endpoint, answer in
                    guard endpoint == .discovery, call.isFirst(), let port = port(in: answer.text) else {
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
            "neither the keys nor the header have a kid",
            .keyIdentifiers,
            .stated,
            change: { hooks in
                hooks.keySet = { set in
                    let keys = (set["keys"]?.arrayValue ?? []).compactMap(\.objectValue)
                    set["keys"] = .array(
                        keys.map { key in .object(JSONObject(key.members.filter { $0.name != "kid" })) }
                    )
                }
                hooks.setHeader("kid", nil)
            }
        ),
        demand("no key has x5c", .keyCertificates, .stated),
        demand("no key has the type OKP", .keyTypes, ["OKP"]),
        demand("a key has a type other than EC", .keyTypesOnly, ["EC"]),
        demand("a key has an algorithm other than ES256", .keyAlgorithms, ["ES256"]),
        demand(
            "a key has the curve X25519",
            .keyCurves,
            ["P-256", "P-384", "P-521", "Ed25519"],
            change: { hooks in
                hooks.keySet = { set in
                    var key = KeySample.okp
                    key["crv"] = "X25519"
                    key["use"] = "enc"
                    key["alg"] = "ECDH-ES"
                    set.append(.object(key), to: "keys")
                }
            }
        ),
        demand(
            "a key has a certificate, which the platform rejects",
            .keyMembers,
            ["kty", "use", "n", "e", "kid", "alg"],
            persona: .manyKeys
        ),
        demand("the key set has more than 0 keys", .keyCount, 0),
        demand("the key set has more than 0 RSA keys", .rsaKeyCount, 0),
        demand("the key set has more than 0 EC keys", .ecKeyCount, 0, persona: .manyKeys),
    ]

    /// The port of the first URL in a document.
    private static func port(in text: String) -> Substring? {
        text.firstRange(of: "https://127.0.0.1:").map { text[$0.upperBound...].prefix(while: \.isNumber) }
    }
}
