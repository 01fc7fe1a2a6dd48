import Conformance
import JSONTree

/// Scopes, languages and requirements on requests.
enum ScopeAndLocaleChecks {
    static let includeOpenID = Check(
        "discovery.scopes-supported.include-openid",
        "The discovery document lists the scope openid",
        .should,
        .signIn,
        Citation(.discovery, "3", "although those defined in [OpenID.Core] SHOULD be listed, if supported"),
        why: "A client that relies on the list does not request openid, and receives no ID Token.",
        reads: Documents.discovery,
        concerns: .ofMember("scopes_supported"),
        exempt: MetadataExemption.unlessList("scopes_supported"),
        finding: { metadata, _ in
            let values = metadata.strings("scopes_supported") ?? []
            if values.contains("openid") { return nil }
            return Finding(
                "scopes_supported does not list openid",
                at: "/scopes_supported",
                expected: "openid among the values",
                found: values.written,
                fix: "Add openid to scopes_supported."
            )
        }
    )

    static let areTokens = Check(
        "discovery.scopes-supported.are-scope-tokens",
        "Every listed scope is a valid scope token",
        .must,
        .signIn,
        Citation(.rfc6749, "3.3", "scope-token = 1*( %x21 / %x23-5B / %x5D-7E )"),
        why: "In a request, a scope with a space is two scopes, and other invalid characters are rejected.",
        reads: Documents.discovery,
        concerns: .ofMember("scopes_supported")
    ) { metadata, _ in
        (metadata.strings("scopes_supported") ?? []).filter { !isScopeToken($0) }
            .map { value in
                Finding(
                    "scopes_supported lists \(value.quoted), which is not a valid scope token",
                    at: "/scopes_supported",
                    expected: "visible ASCII characters except space, quotation mark and backslash",
                    found: value.shown(),
                    fix: "List each scope as a separate element, spelt as in a request."
                )
            }
    }

    static let locales = Check(
        "discovery.locales.are-language-tags",
        "The discovery document lists languages as BCP 47 language tags",
        .risk,
        .signIn,
        Citation(.discovery, "3", "represented as a JSON array of BCP47"),
        why: "A client finds no match for its user's language, and the user gets the default language.",
        reads: Documents.discovery
    ) { metadata, _ in
        MetadataMembers.locales.flatMap { member in
            (metadata.strings(member) ?? []).filter { !isLanguageTag($0) }
                .map { value in
                    Finding(
                        "\(member) lists \(value.quoted), which is not a language tag",
                        at: "/\(member)",
                        expected: "subtags of letters and digits, separated by hyphens, as in pt-BR",
                        found: value.shown(),
                        fix: "Write \(value.replacing("_", with: "-").quoted) in \(member), or remove \(value.quoted)."
                    )
                }
        }
    }

    static let plainRequests = Check(
        "discovery.requests.need-no-extension",
        "The discovery document requires neither PAR nor signed request objects",
        .risk,
        .signIn,
        Citation(.rfc9126, "5", "accepts authorization request data only via PAR"),
        why: "The provider rejects a platform that sends its request in the URL, as most platforms do.",
        reads: Documents.discovery
    ) { metadata, _ in
        ["require_pushed_authorization_requests", "require_signed_request_object"]
            .filter { metadata[$0]?.boolValue == true }
            .map { member in
                Finding(
                    "\(member) is true, which excludes requests with plain parameters in the URL",
                    at: "/\(member)",
                    expected: "false, or no such member",
                    found: "true",
                    fix: "Set \(member) to false at the provider, or use a platform that meets this requirement."
                )
            }
    }

    static let methodsHaveEndpoint = Check(
        "discovery.endpoint-auth-methods.have-an-endpoint",
        "The discovery document lists authentication methods only for endpoints that it states",
        .may,
        .conformance,
        Citation(.rfc8414, "2", "client authentication methods supported by this revocation endpoint"),
        why: "The list is harmless, but the endpoint may have been forgotten.",
        reads: Documents.discovery
    ) { metadata, _ in
        ["revocation_endpoint", "introspection_endpoint"]
            .filter { metadata.states($0 + "_auth_methods_supported") && !metadata.states($0) }
            .map { endpoint in
                Finding(
                    "\(endpoint)_auth_methods_supported is stated, but \(endpoint) is missing",
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
    /// Unregistered subtags pass: the registry grows faster than this program.
    private static func isLanguageTag(_ text: String) -> Bool {
        let subtags = text.split(separator: "-", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let isLetter: (UInt8) -> Bool = { (0x41...0x5A).contains($0 & 0xDF) }
        guard let first = subtags.first, first.allSatisfy(isLetter) else { return false }
        return subtags.allSatisfy { subtag in
            (1...8).contains(subtag.count) && subtag.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
        }
    }
}
