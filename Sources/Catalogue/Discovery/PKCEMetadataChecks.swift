import Conformance

/// The PKCE support that the discovery document states.
enum PKCEMetadataChecks {
    private static let member = "code_challenge_methods_supported"

    static let isPresent = Check(
        "discovery.code-challenge-methods-supported.is-present",
        "The discovery document states which PKCE methods are supported",
        .should,
        .conformance,
        Citation(.rfc9700, "2.1.1", "It is RECOMMENDED for authorization servers to publish the element"),
        why: "Clients that use PKCE only if it is advertised are then unprotected against intercepted codes.",
        reads: Documents.discovery,
        concerns: .ofMember(member),
        exempt: MetadataExemption.unlessCodeIsOffered,
        finding: { metadata, _ in
            let isEmpty = metadata.strings(member)?.isEmpty == true
            if metadata.states(member), !isEmpty { return nil }
            return Finding(
                "\(member) is \(isEmpty ? "an empty list" : "missing")",
                at: "/\(member)",
                expected: "[\"S256\"]",
                found: isEmpty ? "[]" : "no such member",
                fix: "Add \(member): [\"S256\"] once the provider verifies code challenges."
            )
        }
    )

    static let includeS256 = Check(
        "discovery.code-challenge-methods-supported.include-s256",
        "The discovery document lists S256 for PKCE",
        .must,
        .signIn,
        Citation(.rfc7636, "4.2", "\"S256\" is Mandatory To Implement (MTI) on the server"),
        why: "Clients that support S256 must use it; a provider without it may reject their requests.",
        reads: Documents.discovery,
        concerns: .ofMember(member),
        exempt: MetadataExemption.unlessList(member),
        finding: { metadata, _ in
            let values = metadata.strings(member) ?? []
            if values.contains("S256") { return nil }
            let fix = "Support the method S256, and add it to \(member)."
            let message = "\(member) does not list S256"
            return Finding(message, at: "/\(member)", expected: "S256", found: values.written, fix: fix)
        }
    )

    static let excludePlain = Check(
        "discovery.code-challenge-methods-supported.exclude-plain",
        "The discovery document does not offer PKCE with the method plain",
        // Existing servers may keep plain; the cited sentence is about new implementations.
        .risk,
        .safety,
        Citation(.rfc7636, "7.2", "The \"plain\" method SHOULD NOT be used in new implementations"),
        why: "With plain, an attacker who reads the authorization request can redeem the code.",
        reads: Documents.discovery,
        concerns: .ofMember(member),
        exempt: MetadataExemption.unlessList(member),
        finding: { metadata, _ in
            let values = metadata.strings(member) ?? []
            guard values.contains("plain") else { return nil }
            let fix = "Remove plain from \(member) once no client depends on it."
            return Finding(
                "\(member) lists plain",
                at: "/\(member)",
                expected: "S256 alone",
                found: values.written,
                fix: fix
            )
        }
    )

    static let registered = Check(
        "discovery.code-challenge-methods-supported.are-registered",
        "The discovery document lists only registered PKCE methods",
        .may,
        .conformance,
        Citation(.rfc7636, "6.2", "PKCE Code Challenge Methods"),
        why: "A misspelt name hides the intended method.",
        reads: Documents.discovery,
        concerns: .ofMember(member),
        finding: { metadata, _ in
            let unknown = (metadata.strings(member) ?? []).filter { !RegisteredNames.challengeMethods.contains($0) }
            if unknown.isEmpty { return nil }
            let message = "\(member) lists unregistered names: \(unknown.listed)"
            let fix = "Replace \(unknown.listed) in \(member) with the registered name, unless it is an extension."
            return Finding(message, at: "/\(member)", expected: "S256", found: unknown.written, fix: fix)
        }
    )

    static let all: [Check] = [isPresent, includeS256, excludePlain, registered]
}
