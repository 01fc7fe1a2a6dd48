import JOSE
import JSONTree
import ReferenceProvider

/// A departure of the provider, written as statements in a table (`Tests/Fixtures/platform-departures.tsv`).
///
/// A bar with spaces separates statements. `place.member=JSON` sets a member and `place.member` removes it; the places are
/// `document`, `keys`, `key` (the signing key), `header`, `claims`, `userinfo`, `user` (claims and UserInfo), `token`, `registration` and `response`.
/// `extra=JSON` adds a key, `only=names` keeps these members of the document, `status.endpoint` and `type.endpoint` change a
/// response, and `sign=algorithm` signs with a further key, which the document lists after `listed`, and as the first after `first`.
/// In a value, `now` is the time of `iat`, `$client` the client identifier, and `#n` a text of n bytes.
struct Departure: Sendable {
    fileprivate struct Statement: Sendable {
        let place: String
        let member: String
        let value: String?
    }

    private let statements: [Statement]

    init(_ text: String) {
        statements = text.split(separator: " | ")
            .map { part in
                let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let names = halves[0].split(separator: ".", maxSplits: 1).map(String.init)
                return Statement(
                    place: names[0],
                    member: names.count > 1 ? names[1] : "",
                    value: halves.dropFirst().first
                )
            }
    }

    func apply(to hooks: inout Hooks) {
        for statement in statements { statement.apply(to: &hooks) }
    }
}

extension Departure.Statement {
    fileprivate func apply(to hooks: inout Hooks) {
        switch place {
        case "document": hooks.discovery = { document, issuer in change(&document, issuer: issuer) }
        case "only":
            let names = (value ?? "").split(separator: " ").map(String.init)
            hooks.discovery = { document, _ in
                for member in document.members where !names.contains(member.name) { document[member.name] = nil }
            }
        case "keys": hooks.keySet = { change(&$0) }
        case "key":
            hooks.keySet = { set in
                guard var keys = set["keys"]?.arrayValue, var key = keys.first?.objectValue else { return }
                change(&key)
                keys[0] = .object(key)
                set["keys"] = .array(keys)
            }
        case "extra":
            hooks.keySet = { set in set["keys"] = .array((set["keys"]?.arrayValue ?? []) + [json()]) }
        case "header": hooks.idTokenHeader = { header, _ in change(&header) }
        case "claims": hooks.idTokenClaims = { claims, _ in change(&claims) }
        case "userinfo": hooks.userInfo = { change(&$0) }
        case "user":
            hooks.idTokenClaims = { claims, _ in change(&claims) }
            hooks.userInfo = { change(&$0) }
        case "token": hooks.tokenResponse = { change(&$0) }
        case "registration": hooks.registration.response = { change(&$0) }
        case "tokenonly": hooks.tokenResponse = { $0 = json().objectValue ?? [:] }
        case "response":
            hooks.authorizationResponse = { response in
                if !response.isError { response[member] = json().stringValue }
            }
        case "status", "type":
            hooks.answer = { endpoint, answer in
                guard endpoint.rawValue == member, answer.status == 200 else { return }
                if place == "status" { answer.status = value.flatMap { Int($0) } ?? 0 }
                if place == "type" { answer.setHeader("Content-Type", value) }
            }
        case "sign": Signature(value ?? "").apply(to: &hooks)
        default: preconditionFailure("no such place: \(place)")
        }
    }

    private func change(_ object: inout JSONObject, issuer: String? = nil) {
        object[member] = value == nil ? Optional<JSON>.none : json(object)
    }

    /// The value, of which the object is the one to change.
    private func json(_ object: JSONObject = [:]) -> JSON {
        guard let value else { return .null }
        let now = object["iat"]?.numberValue ?? 0
        switch value {
        case "$client": return object["aud"]?.strings?.first.map { .string($0) } ?? object["aud"] ?? .null
        case "issuer:443": return .string((object["iss"]?.stringValue ?? "").replacing(":8443", with: ":443"))
        case "schemeless": return .string(String((object["iss"]?.stringValue ?? "").dropFirst("https://".count)))
        case _ where value.hasPrefix("#"): return .string(String(repeating: "x", count: Int(value.dropFirst()) ?? 0))
        case _ where value.hasPrefix("now*1000+"):
            return .integer(Int64(now * 1_000) + (Int64(value.dropFirst(9)) ?? 0))
        case "now*1000": return .integer(Int64(now * 1_000))
        case _ where value.hasPrefix("now"):
            let offset = Double(value.dropFirst(3)) ?? 0
            return offset == offset.rounded() ? .integer(Int64(now + offset)) : .real(now + offset)
        default:
            let text = value.replacing("$client", with: "\"\(object["aud"]?.stringValue ?? "")\"")
            do { return try JSONDocument.parse(Array(text.utf8)).root } catch {
                preconditionFailure("\(value): \(error)")
            }
        }
    }
}

/// The ID Tokens of a departure that uses another algorithm, without the hashes that depend on it.
private struct Signature {
    let algorithm: JWSAlgorithm
    let place: String

    init(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard let algorithm = JWSAlgorithm(rawValue: words[0]) else {
            preconditionFailure("no such algorithm: \(text)")
        }
        self.algorithm = algorithm
        place = words.count > 1 ? words[1] : ""
    }

    func apply(to hooks: inout Hooks) {
        let kind: PrivateKey.Kind =
            switch algorithm {
            case .es256: .ec(.p256)
            case .es384: .ec(.p384)
            case .es512: .ec(.p521)
            case .edDSA, .ed25519: .ed25519
            default: .rsa(bits: 2_048)
            }
        guard let key = try? PrivateKey.generate(kind) else { preconditionFailure("no key") }
        let jwk = key.publicKey.jwk(kid: "other", alg: algorithm.rawValue, use: "sig").object
        hooks.keySet = { $0["keys"] = .array([.object(jwk)]) }
        let name = JSON.string(algorithm.rawValue)
        if !place.isEmpty {
            let listed: [JSON] = place == "first" ? [name, "RS256"] : [name]
            hooks.discovery = { document, _ in document["id_token_signing_alg_values_supported"] = .array(listed) }
        }
        hooks.idTokenClaims = { claims, _ in
            claims["at_hash"] = nil
            claims["c_hash"] = nil
        }
        hooks.idToken = { token, _ in
            guard let payload = try? CompactJWS(token).payload.get() else { return token }
            let header: JSONObject = ["alg": name, "kid": "other", "typ": "JWT"]
            return (try? JWS.sign(payload, with: key, algorithm: algorithm, exactHeader: header)) ?? token
        }
    }
}
