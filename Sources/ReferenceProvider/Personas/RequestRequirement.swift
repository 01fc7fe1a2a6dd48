import Conformance
import JOSE

/// A requirement of a provider for the authorization requests of its clients.
package struct RequestRequirement: Sendable {
    package var parameter: String
    /// Whether the value of a request meets it; `nil` for a request without the parameter.
    package var isMet: @Sendable (String?) -> Bool
    /// The provider's message for a request that does not.
    package var words: String

    package init(
        _ parameter: String,
        _ words: String,
        isMet: @escaping @Sendable (String?) -> Bool = { $0 != nil }
    ) {
        self.parameter = parameter
        self.isMet = isMet
        self.words = words
    }

    /// One of the words of the parameter's list.
    static func word(_ word: String, in parameter: String, _ words: String) -> RequestRequirement {
        RequestRequirement(parameter, words) { $0?.split(separator: " ").contains(Substring(word)) == true }
    }

    /// A minimum number of characters.
    static func length(_ length: Int, of parameter: String) -> RequestRequirement {
        RequestRequirement(parameter, "\(parameter) must have at least \(length) characters") {
            ($0?.utf8.count ?? 0) >= length
        }
    }

    /// Letters and digits alone.
    static func alphanumeric(_ length: Int, of parameter: String) -> RequestRequirement {
        RequestRequirement(parameter, "\(parameter) must have at least \(length) letters and digits") { value in
            guard let value, value.utf8.count >= length else { return false }
            return value.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
            }
        }
    }
}

/// The form in which a provider rejects a request.
package enum Rejection: Sendable, CaseIterable {
    /// An error redirect to the client.
    case error
    case page400
    case page403
    /// A page with status 200 and no form.
    case page200
}

extension Hooks {
    /// Rejects authorization requests that do not meet a requirement; errors of the specifications come first.
    package mutating func require(_ requirements: [RequestRequirement], rejection: Rejection = .error) {
        authorizationError = { request, error in
            error
                ?? requirements.first { !$0.isMet(request[$0.parameter]) }
                .map { OAuthError("invalid_request", $0.words) }
        }
        let status: Int
        switch rejection {
        case .error: return
        case .page400: status = 400
        case .page403: status = 403
        case .page200: status = 200
        }
        answer = { endpoint, answer in
            guard endpoint == .authorization,
                let words = requirements.map(\.words).first(where: { answer.isRedirect(withDescription: $0) })
            else { return }
            let text = "<!doctype html><title>Sign-in</title><h1>Something is wrong</h1><p>\(words)</p>"
            answer = HTTPAnswer(
                status: status,
                headers: [Field("Content-Type", "text/html")],
                body: Array(text.utf8)
            )
        }
    }
}

extension HTTPAnswer {
    /// Whether it redirects to the client with that error description.
    fileprivate func isRedirect(withDescription words: String) -> Bool {
        guard let location = headers.first(where: { $0.isNamed("Location") })?.value else { return false }
        return location.contains(FormEncoding.encode([Field("error_description", words)]))
    }
}

/// A requirement for client assertions beyond those of RFC 7523.
struct AssertionRequirement: Sendable {
    var algorithm: JWSAlgorithm
    var audience: AssertionAudience
    /// Seconds.
    var lifetime = 300.0
}
