import Conformance

/// Helpers that several checks of the Firebase platform share.
enum Firebase {
    static let registrationUnknown =
        "the configuration does not name the response type that is enabled on the platform; add registration.response_types"

    static func isNonceOfThePlatform(_ nonce: String) -> Bool {
        nonce.utf8.count == 64 && nonce.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}

extension AuthorizationAnswer {
    /// The provider's error, as a report shows it; `nil` for a sign-in page or a redirect without an error.
    var refusal: String? {
        switch ending {
        case .page(let page): page.isError ? page.phrase + ": " + page.text.quoted : nil
        case .redirected(let redirect): redirect.has("error") ? "the error \(redirect.errorText)" : nil
        }
    }

    /// The finding for a platform that sends no `code_challenge`.
    var demandsForPKCE: [Finding] {
        guard let refusal, requestsPKCE else { return [] }
        return [
            Finding(
                "For a request without code_challenge, the authorization endpoint returns \(refusal).",
                at: "code_challenge",
                expected: "the sign-in page",
                found: refusal,
                fix: "Make PKCE optional for this client; its secret protects the code."
            )
        ]
    }

    /// Whether the error mentions PKCE or a challenge (RFC 7636 section 4.4.1 defines no error code for a missing one).
    var requestsPKCE: Bool {
        let text = (refusal ?? "").lowercased()
        return text.contains("challenge") || text.contains("pkce")
    }
}
