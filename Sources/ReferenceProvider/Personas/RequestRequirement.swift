import Conformance
import JOSE
import JSONTree

/// A requirement of a provider for the authorization requests of its clients.
package struct RequestRequirement: Sendable {
    package var parameter: String
    /// Whether the value of a request meets it; `nil` for a request without the parameter.
    var isMet: @Sendable (String?) -> Bool
    /// The provider's message for a request that does not.
    package var words: String
    var error = "invalid_request"

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

    /// Letters, digits and some other characters.
    static func characters(besides others: String, of parameter: String, _ words: String) -> RequestRequirement {
        RequestRequirement(parameter, words) { value in
            value?.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || others.contains($0) } == true
        }
    }

    /// No scope beyond these.
    static func known(_ scopes: [String], _ words: String) -> RequestRequirement {
        var requirement = RequestRequirement("scope", words) { value in
            (value ?? "").split(separator: " ").allSatisfy { scopes.contains(String($0)) }
        }
        requirement.error = "invalid_scope"
        return requirement
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
    /// The fallback page of a provider without a page for this error.
    case page500
    /// A page with status 200 and no form.
    case page200
    /// An OAuth error as JSON (RFC 6749 section 5.2).
    case json400
    /// The same with the status of rejected credentials.
    case json401
    /// Problem details (RFC 9457).
    case problem400
    /// A product's own JSON.
    case message400
    /// The same with the status of missing rights, as Twitch returns it.
    case message403
    case errors400
    case nested400
    case json200
    case text400

    /// Status, media type and body of an answer in this form; `nil` for a redirect.
    func answer(_ words: String) -> (status: Int, type: String, body: String)? {
        let page = "<!doctype html><title>Sign-in</title><h1>Something is wrong</h1><p>\(words)</p>"
        let quoted = JSON.string(words).serialized()
        return switch self {
        case .error: nil
        case .page400: (400, "text/html", page)
        case .page403: (403, "text/html", page)
        case .page500: (500, "text/html", page)
        case .page200: (200, "text/html", page)
        case .json400, .json401:
            (
                self == .json400 ? 400 : 401, "application/json",
                "{\"error\":\"invalid_request\",\"error_description\":\(quoted)}"
            )
        case .problem400:
            (400, "application/problem+json", "{\"title\":\"Bad Request\",\"status\":400,\"detail\":\(quoted)}")
        case .message400: (400, "application/json", "{\"message\":\(quoted)}")
        case .message403: (403, "application/json", "{\"status\":403,\"message\":\(quoted)}")
        case .errors400: (400, "application/json", "{\"errors\":[{\"code\":\"E1\",\"detail\":\(quoted)}]}")
        case .nested400: (400, "application/json", "{\"error\":{\"code\":400,\"message\":\(quoted)}}")
        case .json200: (200, "application/json", "{\"ok\":false,\"error\":\"bad_request\",\"detail\":\(quoted)}")
        case .text400: (400, "text/plain", words)
        }
    }
}

extension Hooks {
    /// Rejects authorization requests that do not meet a requirement; errors of the specifications come first.
    package mutating func require(_ requirements: [RequestRequirement], rejection: Rejection = .error) {
        authorizationError = { request, error in
            error
                ?? requirements.first { !$0.isMet(request[$0.parameter]) }
                .map { OAuthError($0.error, $0.words) }
        }
        for requirement in requirements { write(requirement.words, as: rejection, at: .authorization) }
    }

    /// Writes the errors of an endpoint that have this description in another form.
    package mutating func write(_ words: String, as rejection: Rejection, at endpoint: Endpoint) {
        guard let form = rejection.answer(words) else { return }
        answer = { place, answer in
            guard place == endpoint, answer.hasDescription(words) else { return }
            answer = HTTPAnswer(
                status: form.status,
                headers: [Field("Content-Type", form.type)],
                body: Array(form.body.utf8)
            )
        }
    }
}

extension HTTPAnswer {
    /// Whether it is an error with that description: a redirect to the client, or JSON.
    fileprivate func hasDescription(_ words: String) -> Bool {
        guard let location = headers.first(where: { $0.isNamed("Location") })?.value else {
            return (try? JSONDocument.parse(body))?.root["error_description"]?.stringValue == words
        }
        return location.contains(FormEncoding.encode([Field("error_description", words)]))
    }
}

/// A requirement for client assertions beyond those of RFC 7523.
struct AssertionRequirement: Sendable {
    /// `nil` for that of the client's key.
    var algorithm: JWSAlgorithm?
    var audience: AssertionAudience
    /// Seconds.
    var lifetime = 300.0
}
