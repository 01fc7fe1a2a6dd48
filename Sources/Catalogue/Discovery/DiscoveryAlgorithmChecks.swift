import Conformance
import JOSE

/// The algorithms that the discovery document advertises.
enum DiscoveryAlgorithmChecks {
    private static let idTokenMember = "id_token_signing_alg_values_supported"

    static let includeRS256 = Check(
        "discovery.id-token-signing-alg-values-supported.include-rs256",
        "The discovery document lists RS256 for ID Tokens",
        .must,
        .signIn,
        Citation(.discovery, "3", "The algorithm RS256 MUST be included"),
        why: "Every client library verifies RS256. Many support no other algorithm, and platforms expect it.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessList(idTokenMember),
        finding: { metadata, _ in
            let values = metadata.strings(idTokenMember) ?? []
            if values.contains("RS256") { return nil }
            return Finding(
                "\(idTokenMember) does not list RS256",
                at: "/" + idTokenMember,
                expected: "RS256 among the values",
                found: values.written,
                fix: "Publish an RSA key, sign with RS256 unless a client registers another algorithm, "
                    + "and add RS256 to \(idTokenMember)."
            )
        }
    )

    static let excludeNone = Check(
        "discovery.id-token-signing-alg-values-supported.exclude-none",
        "The discovery document does not offer unsigned ID Tokens",
        .risk,
        .safety,
        Citation(.discovery, "3", "MUST NOT be used unless the Response Type used returns no ID Token"),
        why:
            "Synapse, pgAdmin, Superset, Airflow, Open WebUI, MLflow, Auth.js and openid-client then accept unsigned ID Tokens, "
            + "which an attacker can forge.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessList(idTokenMember),
        finding: { metadata, _ in
            let values = metadata.strings(idTokenMember) ?? []
            guard values.contains("none") else { return nil }
            let frontChannel = metadata.responseTypes.filter(\.hasIDToken).map(\.text)
            return Finding(
                frontChannel.isEmpty
                    ? "\(idTokenMember) lists none"
                    : "\(idTokenMember) lists none, although these response types return ID Tokens from the "
                        + "authorization endpoint: \(frontChannel.listed)",
                at: "/" + idTokenMember,
                expected: "signature algorithms only",
                found: values.written,
                fix: "Remove none from \(idTokenMember)."
            )
        }
    )

    static let authenticationNone = Check(
        "discovery.auth-signing-alg-values-supported.exclude-none",
        "The discovery document does not offer client authentication with an unsigned JWT",
        .must,
        .signIn,
        Citation(.discovery, "3", "The value none MUST NOT be used"),
        why: "An attacker can write an unsigned assertion in the name of any client.",
        reads: Documents.discovery
    ) { metadata, _ in
        authenticationPairs.compactMap { _, member in
            guard let values = metadata.strings(member), values.contains("none") else { return nil }
            return Finding(
                "\(member) lists none",
                at: "/\(member)",
                expected: "signature algorithms only",
                found: values.written,
                fix: "Remove none from \(member)."
            )
        }
    }

    static let dpopIsAsymmetric = Check(
        "discovery.dpop-signing-alg-values-supported.are-asymmetric",
        "The discovery document lists only asymmetric algorithms for DPoP proofs",
        .must,
        .conformance,
        Citation(.rfc9449, "4.2", "MUST NOT be none or an identifier for a symmetric algorithm (MAC)"),
        why: "A DPoP proof that is unsigned, or signed with a shared secret, does not prove possession of a key.",
        reads: Documents.discovery,
        concerns: .ofMember(dpopMember),
        exempt: MetadataExemption.unlessList(dpopMember),
        finding: { metadata, _ in
            let values = metadata.strings(dpopMember) ?? []
            let wrong = values.filter { $0 == "none" || $0.hasPrefix("HS") }
            guard !wrong.isEmpty else { return nil }
            return Finding(
                "\(dpopMember) lists \(wrong.listed)",
                at: "/" + dpopMember,
                expected: "asymmetric signature algorithms only",
                found: values.written,
                fix: "Remove \(wrong.listed) from \(dpopMember)."
            )
        }
    )

    private static let dpopMember = "dpop_signing_alg_values_supported"

    static let authenticationAlgorithms = Check(
        "discovery.auth-signing-alg-values-supported.is-present",
        "The discovery document lists the signature algorithms of JWT client authentication if it offers that method",
        // RFC 8414 requires the member; in Discovery it is always optional.
        .should,
        .conformance,
        Citation(.rfc8414, "2", "MUST be present if either of these authentication methods are specified"),
        why:
            "A client that signs its assertion cannot know which algorithms the provider accepts. RFC 8414 requires the "
            + "member, although it is optional in Discovery.",
        reads: Documents.discovery
    ) { metadata, _ in
        authenticationPairs.compactMap { methods, member in
            let signed = (metadata.strings(methods) ?? [])
                .filter { $0 == "private_key_jwt" || $0 == "client_secret_jwt" }
            guard !signed.isEmpty, !metadata.states(member) else { return nil }
            return Finding(
                "\(member) is missing, although \(methods) offers \(signed.listed)",
                at: "/\(member)",
                expected: "a list of signature algorithms",
                found: "no such member",
                fix: "Add \(member), for example [\"RS256\", \"ES256\"], or stop offering \(signed.listed)."
            )
        }
    }

    static let requestObjects = Check(
        "discovery.request-object-signing-alg-values-supported.include-rs256",
        "The discovery document lists RS256 for request objects",
        .should,
        .conformance,
        Citation(.discovery, "3", "Servers SHOULD support none and RS256"),
        why: "A client that sends signed request objects cannot use RS256, which every client library supports.",
        reads: Documents.discovery,
        concerns: .ofMember("request_object_signing_alg_values_supported"),
        exempt: MetadataExemption.unlessList("request_object_signing_alg_values_supported"),
        finding: { metadata, _ in
            let member = "request_object_signing_alg_values_supported"
            let values = metadata.strings(member) ?? []
            if values.contains("RS256") { return nil }
            let message = "\(member) does not list RS256"
            let fix = "Accept request objects signed with RS256, and add RS256 to \(member)."
            return Finding(message, at: "/\(member)", expected: "RS256", found: values.written, fix: fix)
        }
    )

    static let authenticationRS256 = Check(
        "discovery.token-endpoint-auth-signing-alg-values-supported.include-rs256",
        "The discovery document lists RS256 for client authentication with private_key_jwt",
        .should,
        .conformance,
        Citation(.discovery, "3", "Servers SHOULD support RS256"),
        why: "A client that authenticates with a key cannot use RS256, which every client library supports.",
        reads: Documents.discovery,
        concerns: .ofMember("token_endpoint_auth_signing_alg_values_supported"),
        exempt: { metadata, facts in
            let member = "token_endpoint_auth_signing_alg_values_supported"
            if let reason = MetadataExemption.unlessList(member)(metadata, facts) { return reason }
            // client_secret_jwt uses HMAC, never RS256.
            return metadata.tokenEndpointAuthMethods.contains("private_key_jwt")
                ? nil : "the provider does not offer private_key_jwt"
        },
        finding: { metadata, _ in
            let member = "token_endpoint_auth_signing_alg_values_supported"
            let values = metadata.strings(member) ?? []
            if values.contains("RS256") { return nil }
            let message = "\(member) does not list RS256"
            let fix = "Accept client assertions signed with RS256, and add RS256 to \(member)."
            return Finding(message, at: "/\(member)", expected: "RS256", found: values.written, fix: fix)
        }
    )

    static let registeredSignatures = registered(
        "discovery.signature-algorithms.are-registered",
        "The discovery document lists only registered signature algorithms",
        Citation(.rfc7515, "4.1.1", "values should either be registered in the IANA"),
        MetadataMembers.signatureAlgorithms,
        JOSERegistry.signatureAlgorithms
    )

    static let registeredEncryption = registered(
        "discovery.encryption-algorithms.are-registered",
        "The discovery document lists only registered key management algorithms",
        Citation(.rfc7516, "4.1.1", "identifies the cryptographic algorithm used to encrypt or determine the value"),
        MetadataMembers.keyManagementAlgorithms,
        JOSERegistry.keyManagementAlgorithms
    )

    static let registeredContentEncryption = registered(
        "discovery.content-encryption-algorithms.are-registered",
        "The discovery document lists only registered content encryption algorithms",
        Citation(.rfc7516, "4.1.2", "values should either be registered in the IANA"),
        MetadataMembers.contentEncryptionAlgorithms,
        JOSERegistry.contentEncryptionAlgorithms,
        concerns: .encryption
    )

    static let noPKCS1Encryption = Check(
        "discovery.encryption-algorithms.exclude-rsa1-5",
        "The discovery document does not offer RSA1_5 encryption",
        .should,
        .safety,
        Citation(.rfc8725, "3.2", "Avoid all RSA-PKCS1 v1.5 encryption algorithms"),
        why: "An attacker who can send many ciphertexts to the recipient can decrypt RSA with PKCS #1 v1.5 padding.",
        reads: Documents.discovery
    ) { metadata, _ in
        MetadataMembers.keyManagementAlgorithms.compactMap { member in
            guard let values = metadata.strings(member), values.contains("RSA1_5") else { return nil }
            return Finding(
                "\(member) lists RSA1_5",
                at: "/\(member)",
                expected: "RSA-OAEP or ECDH-ES",
                found: values.written,
                fix: "Remove RSA1_5 from \(member)."
            )
        }
    }

    static let all: [Check] = [
        includeRS256, excludeNone, authenticationNone, dpopIsAsymmetric, authenticationAlgorithms, authenticationRS256,
        requestObjects, registeredSignatures, registeredEncryption, registeredContentEncryption, noPKCS1Encryption,
    ]

    /// Each list of client authentication methods, with the list of its signature algorithms.
    private static let authenticationPairs = MetadataMembers.authenticationMethods.map { methods in
        (methods, methods.replacing("auth_methods", with: "auth_signing_alg_values"))
    }

    /// Clients ignore unknown names; a name with a colon is a URI, which needs no registration.
    private static func registered(
        _ id: CheckID,
        _ title: String,
        _ citation: Citation,
        _ members: [String],
        _ names: [String],
        concerns feature: Feature? = nil
    ) -> Check {
        Check(
            id,
            title,
            .should,
            .conformance,
            citation,
            why:
                "Clients cannot choose an algorithm whose name they do not know. A misspelt name hides the intended algorithm.",
            reads: Documents.discovery,
            concerns: feature
        ) { metadata, _ in
            members.compactMap { member in
                let unknown = (metadata.strings(member) ?? []).filter { !names.contains($0) && !$0.contains(":") }
                guard !unknown.isEmpty else { return nil }
                return Finding(
                    "\(member) lists unregistered names: \(unknown.listed)",
                    at: "/\(member)",
                    expected: "registered names, in the registered letter case",
                    found: unknown.written,
                    fix: "Use the registered name in \(member), or remove \(unknown.listed)."
                )
            }
        }
    }
}
