import Conformance
import JOSE
import JSONTree

/// The algorithms that the discovery document advertises.
enum DiscoveryAlgorithmChecks {
    private static let idTokenMember = "id_token_signing_alg_values_supported"

    static let includeRS256 = Check(
        "discovery.id-token-signing-alg-values-supported.include-rs256",
        "RS256 is among the signature algorithms of ID Tokens",
        .must,
        .signIn,
        Citation(.discovery, "3", "The algorithm RS256 MUST be included"),
        why: "It is the algorithm that every client has; many have no other, and platforms expect it.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessList(idTokenMember),
        finding: { metadata, _ in
            let values = metadata.strings(idTokenMember) ?? []
            if values.contains("RS256") { return nil }
            return Finding(
                "RS256 is not listed",
                at: "/" + idTokenMember,
                expected: "RS256 among the values",
                found: values.written,
                fix: "Publish an RSA key, sign with RS256 for clients that ask for nothing else, and list RS256."
            )
        }
    )

    static let excludeNone = Check(
        "discovery.id-token-signing-alg-values-supported.exclude-none",
        "Unsigned ID Tokens are not offered",
        .risk,
        .safety,
        Citation(.discovery, "3", "MUST NOT be used unless the Response Type used returns no ID Token"),
        why:
            "Synapse, pgAdmin, Superset, Airflow, Open WebUI, MLflow, Auth.js and openid-client then accept unsigned ID Tokens, "
            + "which anybody can make.",
        reads: Documents.discovery,
        exempt: MetadataExemption.unlessList(idTokenMember),
        finding: { metadata, _ in
            let values = metadata.strings(idTokenMember) ?? []
            guard values.contains("none") else { return nil }
            let frontChannel = metadata.responseTypes.filter(\.hasIDToken).map(\.text)
            return Finding(
                frontChannel.isEmpty
                    ? "none is listed" : "none is listed beside the response types \(frontChannel.listed)",
                at: "/" + idTokenMember,
                expected: "signature algorithms only",
                found: values.written,
                fix: "Remove none from \(idTokenMember)."
            )
        }
    )

    static let authenticationNone = Check(
        "discovery.auth-signing-alg-values-supported.exclude-none",
        "A client cannot authenticate with an unsigned JWT",
        .must,
        .signIn,
        Citation(.discovery, "3", "The value none MUST NOT be used"),
        why: "Anybody can write an unsigned assertion in another client's name.",
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
        "Proofs of possession are signed by asymmetric algorithms",
        .must,
        .conformance,
        Citation(.rfc9449, "4.2", "MUST NOT be none or an identifier for a symmetric algorithm (MAC)"),
        why: "A proof that is not signed, or by a secret that others have, proves nothing.",
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
        "The algorithms of JWT client authentication are listed where it is offered",
        // The sentence binds metadata under RFC 8414; Discovery leaves the member optional without exception.
        .should,
        .conformance,
        Citation(.rfc8414, "2", "MUST be present if either of these authentication methods are specified"),
        why: "A client that signs its assertion cannot know an algorithm that the provider accepts; Discovery alone "
            + "leaves the member optional.",
        reads: Documents.discovery
    ) { metadata, _ in
        authenticationPairs.compactMap { methods, member in
            let signed = (metadata.strings(methods) ?? [])
                .filter { $0 == "private_key_jwt" || $0 == "client_secret_jwt" }
            guard !signed.isEmpty, !metadata.states(member) else { return nil }
            return Finding(
                "\(member) is missing though \(methods) offers \(signed.listed)",
                at: "/\(member)",
                expected: "a list of signature algorithms",
                found: "no such member",
                fix: "Add \(member), for example [\"RS256\", \"ES256\"], or stop offering \(signed.listed)."
            )
        }
    }

    static let requestObjects = Check(
        "discovery.request-object-signing-alg-values-supported.include-rs256",
        "Request objects may be signed with RS256",
        .should,
        .conformance,
        Citation(.discovery, "3", "Servers SHOULD support none and RS256"),
        why: "A client that sends signed requests cannot do so with the algorithm that every library has.",
        reads: Documents.discovery,
        concerns: .ofMember("request_object_signing_alg_values_supported"),
        exempt: MetadataExemption.unlessList("request_object_signing_alg_values_supported"),
        finding: { metadata, _ in
            let member = "request_object_signing_alg_values_supported"
            let values = metadata.strings(member) ?? []
            if values.contains("RS256") { return nil }
            let fix = "Accept request objects signed with RS256, and list RS256 in \(member)."
            return Finding("RS256 is not listed", at: "/\(member)", expected: "RS256", found: values.written, fix: fix)
        }
    )

    static let authenticationRS256 = Check(
        "discovery.token-endpoint-auth-signing-alg-values-supported.include-rs256",
        "A client may sign the JWT that it authenticates with by RS256",
        .should,
        .conformance,
        Citation(.discovery, "3", "Servers SHOULD support RS256"),
        why: "A client that has a key cannot use it with the algorithm that every library has.",
        reads: Documents.discovery,
        concerns: .ofMember("token_endpoint_auth_signing_alg_values_supported"),
        exempt: { metadata, facts in
            let member = "token_endpoint_auth_signing_alg_values_supported"
            if let reason = MetadataExemption.unlessList(member)(metadata, facts) { return reason }
            // A secret signs by other algorithms.
            return metadata.tokenEndpointAuthMethods.contains("private_key_jwt") ? nil : "no client signs with a key"
        },
        finding: { metadata, _ in
            let member = "token_endpoint_auth_signing_alg_values_supported"
            let values = metadata.strings(member) ?? []
            if values.contains("RS256") { return nil }
            let fix = "Accept assertions that are signed with RS256, and list RS256 in \(member)."
            return Finding("RS256 is not listed", at: "/\(member)", expected: "RS256", found: values.written, fix: fix)
        }
    )

    static let registeredSignatures = registered(
        "discovery.signature-algorithms.are-registered",
        "The names of signature algorithms are registered",
        Citation(.rfc7515, "4.1.1", "values should either be registered in the IANA"),
        MetadataMembers.signatureAlgorithms,
        JOSERegistry.signatureAlgorithms
    )

    static let registeredEncryption = registered(
        "discovery.encryption-algorithms.are-registered",
        "The names of key management algorithms are registered",
        Citation(.rfc7516, "4.1.1", "identifies the cryptographic algorithm used to encrypt or determine the value"),
        MetadataMembers.keyManagementAlgorithms,
        JOSERegistry.keyManagementAlgorithms
    )

    static let registeredContentEncryption = registered(
        "discovery.content-encryption-algorithms.are-registered",
        "The names of content encryption algorithms are registered",
        Citation(.rfc7516, "4.1.2", "values should either be registered in the IANA"),
        MetadataMembers.contentEncryptionAlgorithms,
        JOSERegistry.contentEncryptionAlgorithms,
        concerns: .encryption
    )

    static let noPKCS1Encryption = Check(
        "discovery.encryption-algorithms.exclude-rsa1-5",
        "RSA1_5 encryption is not offered",
        .should,
        .safety,
        Citation(.rfc8725, "3.2", "Avoid all RSA-PKCS1 v1.5 encryption algorithms"),
        why: "An attacker decrypts RSA with PKCS #1 v1.5 padding by asking the recipient often enough.",
        reads: Documents.discovery
    ) { metadata, _ in
        MetadataMembers.keyManagementAlgorithms.compactMap { member in
            guard let values = metadata.strings(member), values.contains("RSA1_5") else { return nil }
            return Finding(
                "\(member) offers RSA1_5",
                at: "/\(member)",
                expected: "RSA-OAEP or ECDH-ES",
                found: values.written,
                fix: "Remove RSA1_5 from \(member)."
            )
        }
    }

    static let all: [Check] = [
        includeRS256, excludeNone, authenticationNone, dpopIsAsymmetric, authenticationAlgorithms, authenticationRS256,
        requestObjects,
        registeredSignatures, registeredEncryption, registeredContentEncryption, noPKCS1Encryption,
    ]

    /// A list of client authentication methods, and the list of algorithms that belongs to it.
    private static let authenticationPairs = MetadataMembers.authenticationMethods.map { methods in
        (methods, methods.replacing("auth_methods", with: "auth_signing_alg_values"))
    }

    /// Clients pass over names that they do not know.
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
            why: "A name that no library knows cannot be chosen, and a misspelt one hides the algorithm meant.",
            reads: Documents.discovery,
            concerns: feature
        ) { metadata, _ in
            members.compactMap { member in
                let unknown = (metadata.strings(member) ?? []).filter { !names.contains($0) && !$0.contains(":") }
                guard !unknown.isEmpty else { return nil }
                return Finding(
                    "\(member) lists \(unknown.listed), which is not registered",
                    at: "/\(member)",
                    expected: "names of the registry, letter case included",
                    found: unknown.written,
                    fix: "Write the registered name in \(member), or remove \(unknown.listed)."
                )
            }
        }
    }
}
