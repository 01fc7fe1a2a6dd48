extension PageSummary {
    /// Whether the page rejects the request although its status is that of a success.
    ///
    /// Google, Microsoft Entra, Duende IdentityServer and WSO2 return such pages.
    var isRejection: Bool {
        (200...399).contains(status) && !requestsSignIn
            && (namesRequestError || NamedParameter.tokens(of: title).first == "error")
    }

    /// Whether title, text or address name an error of the request; Ory Hydra and WSO2 return such pages also with status 500.
    ///
    /// Only error codes, names of parameters and addresses count: they are the same in every language.
    var namesRequestError: Bool {
        let words = NamedParameter.tokens(of: (title ?? "") + " " + text)
        return words.contains { Self.requestErrors.contains($0) || $0.hasPrefix("aadsts") }
            || isAtErrorAddress || forms.isEmpty && Self.nameParameter(words)
    }

    /// Errors of the request (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6, RFC 8707 section 2), and codes of
    /// Google and WSO2 for a redirect URI that is not registered.
    private static let requestErrors: Set = [
        "invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope", "server_error",
        "invalid_client", "invalid_request_uri", "invalid_request_object", "request_not_supported",
        "request_uri_not_supported", "registration_not_supported", "invalid_target", "redirect_uri_mismatch",
        "invalid_redirect_uri", "invalid_callback",
    ]

    /// Whether the page has the address of an error page: `/home/error?errorId=…`, `/oauth2_error.do?oauthErrorCode=…`.
    private var isAtErrorAddress: Bool {
        let parts = address.lowercased().split(separator: "?", maxSplits: 1)
        let file = parts.first?.split(separator: "/").dropFirst(2).last?.prefix { $0 != "." && $0 != "#" } ?? ""
        let names = parts.dropFirst().first?.split(separator: "&").compactMap { $0.split(separator: "=").first } ?? []
        // A sign-in page may have a parameter such as on_error, which is no error.
        return file.hasSuffix("error")
            || names.contains { ["error", "autherror", "errorid"].contains($0) || $0.hasPrefix("oautherror") }
    }

    /// Whether a parameter is named that no page for users names.
    private static func nameParameter(_ words: [String]) -> Bool {
        words.contains("redirect_uri") || words.contains("client_id")
            || zip(words, words.dropFirst())
                .contains { ["redirect", "callback"].contains($0) && ["uri", "uris", "url"].contains($1) }
    }
}

extension PageSummary {
    /// The page by its title.
    var named: String {
        title.flatMap { $0.isEmpty ? nil : "the page \($0.quoted)" } ?? "a page without a title"
    }

    /// The beginning of what it says.
    var words: String? { text.isEmpty ? nil : text.shown(limit: 1_000) }
}
