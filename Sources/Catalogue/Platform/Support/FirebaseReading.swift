import Conformance

/// What the rules of the Firebase platform ask of configuration and profile.
enum Firebase {
    static let registrationUnknown =
        "the configuration does not say which response type is switched on at the platform; add registration.response_types"

    static func isNonceOfThePlatform(_ nonce: String) -> Bool {
        nonce.utf8.count == 64
            && nonce.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension AuthorizationAnswer {
    /// The refusal of a request, as a report shows it; `nil` when a page or a code answered it.
    var refusal: String? {
        switch ending {
        case .page(let page): page.isError ? page.phrase + ": " + page.text.shown(limit: 120) : nil
        case .redirected(let redirect): redirect.has("error") ? "the error \(redirect.errorText)" : nil
        }
    }

    /// The finding of a platform that sends no challenge.
    var demandsForPKCE: [Finding] {
        guard let refusal, asksForPKCE else { return [] }
        return [
            Finding(
                "The request without a code_challenge was answered with \(refusal).",
                at: "code_challenge",
                expected: "the sign-in page",
                found: refusal,
                fix: "Make PKCE optional for this client; its secret protects the code."
            )
        ]
    }

    /// Whether the refusal speaks of a missing PKCE challenge (RFC 7636 section 4.4.1 names no code of its own).
    var asksForPKCE: Bool {
        let text = (refusal ?? "").lowercased()
        return text.contains("challenge") || text.contains("pkce")
    }
}
