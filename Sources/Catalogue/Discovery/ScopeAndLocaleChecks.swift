import Conformance
import JSONTree

/// Scopes, languages and demands on requests.
enum ScopeAndLocaleChecks {
    static let includeOpenID = Check(
        "discovery.scopes-supported.include-openid",
        "The scope openid is listed",
        .should,
        .signIn,
        Citation(.discovery, "3", "although those defined in [OpenID.Core] SHOULD be listed, if supported"),
        why: "Without the scope openid there is no ID Token; a client that trusts the list does not ask for it.",
        reads: Documents.discovery,
        concerns: .ofMember("scopes_supported"),
        exempt: MetadataExemption.unlessList("scopes_supported"),
        finding: { metadata, _ in
            let values = metadata.strings("scopes_supported") ?? []
            if values.contains("openid") { return nil }
            return Finding(
                "openid is not listed",
                at: "/scopes_supported",
                expected: "openid among the values",
                found: values.written,
                fix: "Add openid to scopes_supported."
            )
        }
    )

    static let areTokens = Check(
        "discovery.scopes-supported.are-scope-tokens",
        "Every scope can be asked for",
        .must,
        .signIn,
        Citation(.rfc6749, "3.3", "scope-token = 1*( %x21 / %x23-5B / %x5D-7E )"),
        why: "A scope with a space is two scopes in a request, and other characters are refused.",
        reads: Documents.discovery,
        concerns: .ofMember("scopes_supported")
    ) { metadata, _ in
        (metadata.strings("scopes_supported") ?? []).filter { !isScopeToken($0) }
            .map { value in
                Finding(
                    "\(value.quoted) is not a scope",
                    at: "/scopes_supported",
                    expected: "visible ASCII characters without space, quotation mark and backslash",
                    found: value.shown(),
                    fix: "List each scope as an element of its own, spelt as in a request."
                )
            }
    }

    static let locales = Check(
        "discovery.locales.are-language-tags",
        "Languages are named by language tags",
        .risk,
        .signIn,
        Citation(.discovery, "3", "represented as a JSON array of BCP47"),
        why: "A client that sends its user's language finds no match and gets a default one.",
        reads: Documents.discovery
    ) { metadata, _ in
        MetadataMembers.locales.flatMap { member in
            (metadata.strings(member) ?? []).filter { !isLanguageTag($0) }
                .map { value in
                    Finding(
                        "\(member) names \(value.quoted), which is not a language tag",
                        at: "/\(member)",
                        expected: "subtags of letters and digits with hyphens between them, as in pt-BR",
                        found: value.shown(),
                        fix: "Write \(value.replacing("_", with: "-").quoted), or remove it from \(member)."
                    )
                }
        }
    }

    static let plainRequests = Check(
        "discovery.requests.need-no-extension",
        "An ordinary authorization request is accepted",
        .risk,
        .signIn,
        Citation(.rfc9126, "5", "accepts authorization request data only via PAR"),
        why: "A platform that sends its request in the URL, as most do, is refused at the first step.",
        reads: Documents.discovery
    ) { metadata, _ in
        ["require_pushed_authorization_requests", "require_signed_request_object"]
            .filter { metadata[$0]?.boolValue == true }
            .map { member in
                Finding(
                    "\(member) is true",
                    at: "/\(member)",
                    expected: "false, or no such member",
                    found: "true",
                    fix: "Turn \(member) off for the client, unless the platform is known to do it."
                )
            }
    }

    static let methodsHaveEndpoint = Check(
        "discovery.endpoint-auth-methods.have-an-endpoint",
        "Authentication methods are stated for endpoints that exist",
        .may,
        .conformance,
        Citation(.rfc8414, "2", "client authentication methods supported by this revocation endpoint"),
        why: "It does no harm, but an address may have been forgotten.",
        reads: Documents.discovery
    ) { metadata, _ in
        ["revocation_endpoint", "introspection_endpoint"]
            .filter { metadata.states($0 + "_auth_methods_supported") && !metadata.states($0) }
            .map { endpoint in
                Finding(
                    "\(endpoint)_auth_methods_supported is stated, \(endpoint) is not",
                    at: "/\(endpoint)",
                    expected: "both or neither",
                    found: "no such member",
                    fix: "Add \(endpoint), or leave \(endpoint)_auth_methods_supported out."
                )
            }
    }

    static let all: [Check] = [includeOpenID, areTokens, locales, plainRequests, methodsHaveEndpoint]

    private static func isScopeToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }

    /// The shape of RFC 5646 section 2.1: subtags of one to eight letters and digits, the first of letters only.
    ///
    /// Whether the subtags are registered is left open: the registry grows faster than this tool.
    private static func isLanguageTag(_ text: String) -> Bool {
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let isLetter: (UInt8) -> Bool = { (0x41...0x5A).contains($0 & 0xDF) }
        guard let first = subtags.first, first.allSatisfy(isLetter) else { return false }
        return subtags.allSatisfy { subtag in
            (1...8).contains(subtag.count) && subtag.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
        }
    }
}
