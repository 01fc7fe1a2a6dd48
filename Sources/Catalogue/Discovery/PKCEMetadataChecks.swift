import Conformance
import JSONTree

/// What the discovery document says of PKCE.
enum PKCEMetadataChecks {
    private static let member = "code_challenge_methods_supported"

    static let isPresent = Check(
        "discovery.code-challenge-methods-supported.is-present",
        "Support of PKCE is stated",
        .should,
        .conformance,
        Citation(.rfc9700, "2.1.1", "It is RECOMMENDED for authorization servers to publish the element"),
        why: "Clients that use PKCE only where it is advertised then go without its protection.",
        reads: Documents.discovery,
        concerns: .ofMember(member),
        exempt: MetadataExemption.unlessCodeIsOffered,
        finding: { metadata, _ in
            if metadata.states(member) { return nil }
            return Finding(
                "\(member) is missing",
                at: "/\(member)",
                expected: "[\"S256\"]",
                found: "no such member",
                fix: "Add \(member): [\"S256\"] once the provider verifies code challenges."
            )
        }
    )

    static let includeS256 = Check(
        "discovery.code-challenge-methods-supported.include-s256",
        "PKCE with S256 is supported",
        .must,
        .signIn,
        Citation(.rfc7636, "4.2", "\"S256\" is Mandatory To Implement (MTI) on the server"),
        why: "A client that is able to use S256 must use it, and is refused here.",
        reads: Documents.discovery,
        concerns: .ofMember(member),
        exempt: MetadataExemption.unlessList(member),
        finding: { metadata, _ in
            let values = metadata.strings(member) ?? []
            if values.contains("S256") { return nil }
            let fix = "Support the method S256 and list it in \(member)."
            return Finding("S256 is not listed", at: "/\(member)", expected: "S256", found: values.written, fix: fix)
        }
    )

    static let excludePlain = Check(
        "discovery.code-challenge-methods-supported.exclude-plain",
        "PKCE without a hash is not offered",
        // A server may go on supporting plain; the sentence is for those who choose it.
        .risk,
        .safety,
        Citation(.rfc7636, "7.2", "The \"plain\" method SHOULD NOT be used in new implementations"),
        why: "With plain, whoever reads the authorization request can redeem the code.",
        reads: Documents.discovery,
        concerns: .ofMember(member),
        exempt: MetadataExemption.unlessList(member),
        finding: { metadata, _ in
            let values = metadata.strings(member) ?? []
            guard values.contains("plain") else { return nil }
            let fix = "Remove plain from \(member) once no client depends on it."
            return Finding(
                "plain is offered",
                at: "/\(member)",
                expected: "S256 alone",
                found: values.written,
                fix: fix
            )
        }
    )

    static let registered = Check(
        "discovery.code-challenge-methods-supported.are-registered",
        "The PKCE methods are registered ones",
        .may,
        .conformance,
        Citation(.rfc7636, "6.2", "PKCE Code Challenge Methods"),
        why: "A misspelt name hides the method that was meant.",
        reads: Documents.discovery,
        concerns: .ofMember(member),
        finding: { metadata, _ in
            let unknown = (metadata.strings(member) ?? []).filter { !RegisteredNames.challengeMethods.contains($0) }
            if unknown.isEmpty { return nil }
            let message = "\(member) lists \(unknown.listed), which no registry knows"
            let fix = "Nothing, if \(unknown.listed) is meant; else correct \(member)."
            return Finding(message, at: "/\(member)", expected: "S256", found: unknown.written, fix: fix)
        }
    )

    static let all: [Check] = [isPresent, includeS256, excludePlain, registered]
}
