import Conformance
import JOSE
import JSONTree

/// The random values of every authorization request.
struct RequestSecrets: Sendable {
    /// 48 lower-case hexadecimal characters: no known provider rejects their length or their alphabet.
    var state: String
    /// 64 lower-case hexadecimal characters, as the Firebase platform sends it.
    var nonce: String
    /// The PKCE verifier (RFC 7636 section 4.1).
    var verifier: String

    static func random() -> RequestSecrets {
        RequestSecrets(
            state: Hexadecimal.text(of: Hashes.randomBytes(24)),
            nonce: Hexadecimal.text(of: Hashes.randomBytes(32)),
            verifier: Base64URL.encode(Hashes.randomBytes(32))
        )
    }

    /// The S256 challenge (RFC 7636 section 4.2).
    var challenge: String { Base64URL.encode(Hashes.sha256(Array(verifier.utf8))) }
}

enum Hexadecimal {
    /// Lower-case digits.
    static func text(of bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// The parameters of an authorization request, in the order in which they are sent.
struct AuthorizationParameters: Sendable {
    var fields: [Field]
    /// True when a challenge was sent, so that the verifier must come with the code.
    var hasChallenge: Bool
    /// True when the parameters were pushed beforehand.
    let isPushed: Bool

    /// - Parameters:
    ///   - scenario: The scenario; its request's changes are made last.
    ///   - request: The scenario's request.
    ///   - responseType: The response type that is meant, stated or chosen.
    ///   - clientID: The client registered for it.
    ///   - target: Scopes, redirect URI and custom parameters.
    ///   - profile: The parameters that the platform reserves, and when it sends PKCE.
    ///   - metadata: The discovery document.
    ///   - secrets: State, nonce and verifier.
    ///   - resolve: The text of a value; `nil` leaves the parameter as it is.
    init(
        scenario: Scenario,
        request: AuthorizationRequest,
        responseType: ResponseType,
        clientID: String,
        target: Target,
        profile: ProfileParameters,
        metadata: JSONObject?,
        secrets: RequestSecrets,
        resolve: (ParameterValue) -> String?
    ) {
        var fields = [Field("response_type", responseType.text), Field("client_id", clientID)]
        if let redirectURI = target.redirectURI { fields.append(Field("redirect_uri", redirectURI)) }
        fields.append(Field("scope", target.scopes.joined(separator: " ")))
        fields.append(Field("state", secrets.state))
        // A nonce is returned in the ID Token; a request that is not OpenID Connect has none (Core section 3.1.2.1).
        if request.sendsNonce, target.scopes.contains("openid") { fields.append(Field("nonce", secrets.nonce)) }
        let asThePlatform = request.isAsThePlatformSends
        let avoidsPKCE = profile.avoidsPKCE || target.avoidsPKCE(clientID)
        hasChallenge =
            responseType.hasCode && request.sendsPKCE && !avoidsPKCE
            && (!asThePlatform || profile.sendsPKCE(to: metadata))
        if hasChallenge {
            fields.append(Field("code_challenge", secrets.challenge))
            fields.append(Field("code_challenge_method", "S256"))
        }
        if let resource = target.resource { fields.append(Field("resource", resource)) }
        for parameter in target.customParameters {
            // A reserved one is lost at the platform, and no parameter may be sent twice (RFC 6749 section 3.1).
            let isAccepted =
                fields.contains { $0.name == parameter.name } || (parameter.name == "nonce" && !request.sendsNonce)
            guard !isAccepted, profile.passesOn(parameter.name) else { continue }
            let isWhole = scenario.leavesBrowser || (asThePlatform && request.session == .none)
            if let sent = isWhole ? parameter : parameter.withoutSignIn { fields.append(sent) }
        }
        isPushed = request.isPushed
        if isPushed {
            fields = [Field("client_id", clientID)]
            hasChallenge = false
            if let uri = resolve(.captured(.requestURI)) { fields.append(Field("request_uri", uri)) }
        }
        for change in request.changes { fields.apply(change, resolve) }
        self.fields = fields
    }

    subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

extension Field {
    /// Seconds: no sign-in of a run gets older.
    private static let ageOfARun = 3_600

    /// The parameter without what makes a signed-in user sign in again (Core section 3.1.2.1); `nil` where nothing is left of it.
    ///
    /// As a custom parameter it is for the flows: it would make each of many requests a sign-in of its own.
    fileprivate var withoutSignIn: Field? {
        switch name {
        case "max_age": return (Int(value) ?? 0) < Self.ageOfARun ? nil : self
        case "prompt":
            // A provider that demands the parameter gets the rest of it: consent may be given many times.
            let words = value.split(separator: " ").filter { !["login", "select_account"].contains($0) }
            return words.isEmpty ? nil : Field(name, words.joined(separator: " "))
        default: return self
        }
    }
}

extension [Field] {
    /// Makes a change; one whose value cannot be had is left out.
    mutating func apply(_ change: ParameterChange, _ resolve: (ParameterValue) -> String?) {
        switch change {
        case .set(let name, let value):
            guard let text = resolve(value) else { return }
            if let index = firstIndex(where: { $0.name == name }) {
                self[index].value = text
            } else {
                append(Field(name, text))
            }
        case .remove(let name): removeAll { $0.name == name }
        case .add(let name, let value):
            if let text = resolve(value) { append(Field(name, text)) }
        case .addWord(let name, let word):
            let words = (first { $0.name == name }?.value ?? "").split(separator: " ").map(String.init)
            if !words.contains(word) { apply(.set(name, .text((words + [word]).joined(separator: " "))), resolve) }
        case .reverse: reverse()
        case .reverseWords(let name): changeWords(of: name) { $0.reverse() }
        case .removeWord(let name, let word): changeWords(of: name) { words in words.removeAll { $0 == word } }
        }
    }

    private mutating func changeWords(of name: String, _ change: (inout [String]) -> Void) {
        guard let index = firstIndex(where: { $0.name == name }) else { return }
        var words = self[index].value.split(separator: " ").map(String.init)
        change(&words)
        if words.isEmpty { remove(at: index) } else { self[index].value = words.joined(separator: " ") }
    }
}
