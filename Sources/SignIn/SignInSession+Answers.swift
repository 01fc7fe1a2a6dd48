import Transport

/// What responses say about themselves.
extension SignInSession {
    /// The page of a response.
    func read(_ response: HTTPResponse) -> HTMLPage {
        HTMLReader.read(response.body, charset: Self.charset(of: response), selectors: recognition?.selectors ?? [])
    }

    /// A page that a browser shows.
    func read(shown html: String) -> HTMLPage {
        HTMLReader.read(Array(html.utf8), charset: "UTF-8", selectors: recognition?.selectors ?? [])
    }

    static func redirection(of response: HTTPResponse) -> String? {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
        guard let location = response.header("Location"), !location.isEmpty else { return nil }
        return location
    }

    static func charset(of response: HTTPResponse) -> String? {
        guard let type = response.header("Content-Type") else { return nil }
        for parameter in type.split(separator: ";").dropFirst() {
            let halves = parameter.split(separator: "=", maxSplits: 1)
            guard halves.count == 2, halves[0].filter({ $0 != " " }).lowercased() == "charset" else { continue }
            return halves[1].filter { $0 != "\"" && $0 != "'" && $0 != " " }
        }
        return nil
    }

    static func unreadable(_ url: String) -> TransportFailure {
        TransportFailure(
            step: .preparing,
            host: "",
            cause: .invalidURL(reason: "\(url.bounded(200)) cannot be fetched")
        )
    }
}

extension SignInSession {
    /// What the user fills in or presses on a page.
    func byUser(
        _ page: HTMLPage,
        _ address: WebURL?,
        isErrorPage: Bool,
        _ journey: Journey
    ) -> FormFilling? {
        recognition?
            .filling(
                for: page,
                at: address,
                isErrorPage: isErrorPage,
                scopes: journey.requestedScopes,
                hints: journey.requested("login_hint"),
                afterPassword: journey.sentPassword
            )
    }
}
