import Conformance
import JOSE
import JSONTree

extension Fault {
    /// A fault of the provider's behaviour alone.
    static func provider(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        persona: Persona = .standard,
        change: @escaping @Sendable (inout Hooks) -> Void
    ) -> Fault {
        Fault(trips, variant: variant, title, also: also, persona: persona, change: change)
    }
}

/// Changes that several faults of a scenario run share.
extension Hooks {
    /// Adds the certificate of the RSA key to it.
    package mutating func publishCertificate() {
        keySet = { set in
            guard let certificate = try? SigningKeys.certificate() else { return }
            set["keys"] = .array(
                (set["keys"]?.arrayValue ?? [])
                    .map { key in
                        guard key["kty"]?.stringValue == "RSA", var key = key.objectValue else { return key }
                        key["x5c"] = [.string(certificate.x5c)]
                        return .object(key)
                    }
            )
        }
    }

    /// Changes successful authorization responses.
    mutating func onSuccess(_ change: @escaping @Sendable (inout AuthorizationResponse) -> Void) {
        authorizationResponse = { response in
            if !response.isError { change(&response) }
        }
    }

    /// Changes error responses of the authorization endpoint.
    mutating func onError(_ change: @escaping @Sendable (inout AuthorizationResponse) -> Void) {
        authorizationResponse = { response in
            if response.isError { change(&response) }
        }
    }

    /// Changes the responses of one endpoint with certain status codes.
    package mutating func onAnswer(
        _ endpoint: Endpoint,
        _ statuses: ClosedRange<Int>,
        _ change: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) {
        answer = { place, answer in
            if place == endpoint, statuses.contains(answer.status) { change(&answer) }
        }
    }

    /// Sets one claim of all ID Tokens; `nil` removes it.
    mutating func setClaim(_ name: String, _ value: JSON?) {
        idTokenClaims = { claims, _ in claims[name] = value }
    }

    /// Sets a time claim of all ID Tokens to a number of seconds after `iat`.
    mutating func setTime(_ name: String, afterIssue seconds: Int64) {
        idTokenClaims = { claims, _ in
            claims[name] = .integer((claims["iat"]?.integerValue ?? 0) + seconds)
        }
    }

    mutating func setHeader(_ name: String, _ value: JSON?) {
        idTokenHeader = { header, _ in header[name] = value }
    }

    /// Sets one claim at UserInfo; `nil` removes it.
    mutating func setUserInfo(_ name: String, _ value: JSON?) {
        userInfo = { claims in claims[name] = value }
    }

    /// Changes one claim at UserInfo if its scope was requested.
    mutating func changeUserInfo(_ name: String, _ value: JSON) {
        userInfo = { claims in if claims.has(name) { claims[name] = value } }
    }

    /// Replaces one part of all ID Tokens by an encoded text, without signing again.
    mutating func replacePart(_ index: Int, _ change: @escaping @Sendable (String) -> String) {
        idToken = { token, _ in
            var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard parts.indices.contains(index), let bytes = try? Base64URL.decode(parts[index]) else { return token }
            parts[index] = Base64URL.encode(Array(change(String(decoding: bytes, as: UTF8.self)).utf8))
            return parts.joined(separator: ".")
        }
    }
}

extension String {
    /// A token in compact form with another signature.
    var withSpoiltSignature: String {
        let parts = split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let bytes = try? Base64URL.decode(parts[2]) else { return self }
        return (parts.prefix(2) + [Base64URL.encode(bytes.map { $0 ^ 1 })]).joined(separator: ".")
    }

    /// The claims of a token in compact form; `nil` if they are not a JSON object.
    var claimsOfToken: JSONObject? {
        let parts = split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = try? Base64URL.decode(parts[1]) else { return nil }
        return try? JSONDocument.parse(bytes).root.objectValue
    }
}

extension HTTPAnswer {
    /// Moves one parameter of a redirect from the fragment to the query.
    mutating func moveToQuery(_ name: String, ifBeside other: String) {
        guard let location = headers.first(where: { $0.isNamed("location") })?.value else { return }
        let halves = location.split(separator: "#", maxSplits: 1).map(String.init)
        guard halves.count == 2 else { return }
        let parameters = halves[1].split(separator: "&").map(String.init)
        guard parameters.contains(where: { $0.hasPrefix(other + "=") }),
            let moved = parameters.first(where: { $0.hasPrefix(name + "=") })
        else { return }
        let rest = parameters.filter { $0 != moved }.joined(separator: "&")
        setHeader("Location", "\(halves[0])?\(moved)#\(rest)")
    }
}
