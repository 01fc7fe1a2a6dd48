import Conformance
import JOSE
import JSONTree

/// Properties that several rules about ID Tokens share.
extension RawIDToken {
    /// The header as a JSON document; `nil` if it could not be decoded or is not JSON.
    var headerDocument: JSONDocument? { Self.document(facts.header) }

    var claimsDocument: JSONDocument? { Self.document(facts.claims) }

    var isEncrypted: Bool { facts.partCount == 5 }

    var alg: String? { headerDocument?.root["alg"]?.stringValue }

    private static func document(_ body: Body?) -> JSONDocument? {
        body?.bytes.flatMap { bytes in try? JSONDocument.parse(bytes) }
    }
}

extension IDToken {
    /// Whether the signature is made with the client secret (RFC 7518 section 3.2).
    var isSymmetric: Bool { alg?.hasPrefix("HS") ?? false }

    var kid: String? { header["kid"]?.stringValue }

    /// The number of characters of the token without its signature, which is not recorded.
    var lengthWithoutSignature: Int {
        [facts.header, facts.claims].compactMap { $0?.bytes?.count }.reduce(0) { $0 + ($1 * 4 + 2) / 3 + 1 }
    }

    /// A claim that must be a NumericDate, in seconds since 1970 (RFC 7519 section 2).
    func time(_ name: String) -> Double? { claims[name]?.numberValue }

    /// The audiences; empty if the claim is missing or of another type.
    var audiences: [String] {
        if let one = claims["aud"]?.stringValue { return [one] }
        return claims["aud"]?.strings ?? []
    }

}

extension Facts {
    /// Whether the client registered for encryption of the ID Tokens that such a request returns (Registration section 2).
    ///
    /// An encrypted token shows it, whether or not the configuration states it: the provider has the client's key or secret for it.
    func isRegisteredForEncryption(_ token: RawIDToken) -> Bool {
        token.facts.isJWE || token.facts.encryption != nil
            || target.client(for: token.asked.responseType)?.idTokenEncryptedResponseAlg != nil
    }

    /// Whether the client registered `none`, and the flow returns no ID Token from the authorization endpoint.
    func mayBeUnsigned(_ asked: StepEvidence, _ place: IDTokenPlace) -> Bool {
        place == .tokenEndpoint && !asked.responseType.hasIDToken
            && target.client(for: asked.responseType)?.idTokenSignedResponseAlg == "none"
    }
}

/// Queries for the ID Tokens of a run.
enum IDTokenQueries {
    /// The ID Tokens of all flows together; absent if no well-formed one arrived.
    static let together = Query<[IDToken]>(
        "the ID Tokens of all flows",
        needs: StepResults.idTokens.needs,
        whenEmpty: StepResults.idTokens.whenEmpty
    ) { facts in
        let samples = StepResults.idTokens.samples(facts)
        let tokens = samples.compactMap(\.observation.value)
        guard tokens.isEmpty else { return [Sample(.observed(tokens))] }
        return samples.first.map { first in [Sample(first.observation.map { [$0] })] } ?? []
    }

    /// Each ID Token with keys to try on it.
    static let rawWithKeys = StepResults.rawIDTokens.narrowed("each ID Token as it arrived, and the key set") {
        sample,
        facts in
        Sample<RawIDToken>(
            sample.observation.flatMap { token in
                guard token.facts.trials.isEmpty else { return .observed(token) }
                if token.asked.scenario == StepResults.offlineInput,
                    token.alg.flatMap(JWSAlgorithm.init(rawValue:))?.isSymmetric == true
                {
                    // Core section 10.1: its key is the client secret, which is not published.
                    return .absent("verifying HS256, HS384 or HS512 requires the client secret: --client-secret-file")
                }
                return facts.keySet.map { _ in token }
            },
            label: sample.label,
            exchange: sample.exchange
        )
    }

    /// Each ID Token, if there is a key set to find its key in.
    static let withKeys = StepResults.idTokens.narrowed("each ID Token, and the key set") { sample, facts in
        Sample<IDToken>(
            sample.observation.flatMap { token in facts.keySet.map { _ in token } },
            label: sample.label,
            exchange: sample.exchange
        )
    }

    /// The ID Tokens of requests without a nonce, from either endpoint, if the provider issued any.
    static let withoutNonce = Query<IDToken>(
        "ID Tokens of requests without a nonce",
        needs: [.discovery, .keys, .probe(Scenario.missingNonce.id), .probe(Scenario.codeLiberties.id)],
        features: Feature.shared([
            Scenario.missingNonce.features(of: .authorization), Scenario.codeLiberties.features(of: .noNonce),
        ]),
        whenEmpty: "no ID Token was issued without a nonce"
    ) { facts in
        let front = StepResults.idToken(.missingNonce, at: .authorizationEndpoint).samples(facts)
        let back = StepResults.idToken(.codeLiberties, .noNonce, at: .tokenEndpoint).samples(facts)
        // A provider may reject the request, and then there is no token that could have a nonce.
        return (isAnswered(.missingNonce, .authorization, facts) ? front.filter(isThere) : front)
            + (isAnswered(.codeLiberties, .noNonce, facts) ? back.filter(isThere) : back)
    }

    private static func isAnswered(_ scenario: Scenario, _ step: StepID, _ facts: Facts) -> Bool {
        facts.evidence.run(scenario.id)?[step]?.outcome.value != nil
    }

    private static func isThere(_ sample: Sample<IDToken>) -> Bool { sample.observation.value != nil }
}

extension Facts {
    /// Whether any authorization request of the run had this nonce; that of a repeated scenario has no step any more.
    func sent(nonce: JSON) -> Bool {
        guard let text = nonce.stringValue, !text.isEmpty else { return false }
        return evidence.runs.contains { run in run.steps.contains { $0.sentParameter("nonce") == text } }
            || evidence.exchanges.contains { ($0.request.url + "&").contains("&nonce=\(text)&") }
    }
}

extension Facts {
    /// The message about a nonce that is not the one in the request.
    ///
    /// - Parameter nonce: The claim; `nil` for a token without one.
    func differingNonce(_ nonce: JSON?) -> String {
        guard let nonce else { return "The ID Token has no nonce." }
        return sent(nonce: nonce)
            ? "The ID Token has the nonce of another request of this run."
            : "The ID Token's nonce differs from the one in the request."
    }
}

extension Finding {
    /// The claims that are times.
    private static let times = ["exp", "iat", "nbf", "auth_time", "updated_at"]

    /// Seconds since 1970, with their date if there is one.
    static func dated(_ seconds: Double, written: String? = nil) -> String {
        // 9999 is the last year that an HTTP date can express.
        let hasDate = (0..<2.5e11).contains(seconds)
        let number = written ?? (hasDate ? "\(Int64(seconds))" : "\(seconds)")
        return hasDate ? "\(number) (\(HTTPDate.text(seconds)))" : number
    }

    /// A value that was found, formatted like the expected one: if that is a type or JSON, a string is shown as JSON.
    static func shown(_ found: JSON?, beside expected: String) -> String {
        let isKind = ["a ", "an ", "true or ", "whole ", "seconds ", "\""].contains { expected.hasPrefix($0) }
        if !isKind, let text = found?.stringValue { return text.isEmpty ? "an empty string" : text.shown(limit: 120) }
        return found?.shown ?? "missing"
    }

    /// A finding about one claim.
    ///
    /// - Parameter expected: A value, or a type in words; for a type, a string is shown as JSON.
    static func claim(_ name: String, _ message: String, expected: String, found: JSON?, fix: String) -> Finding {
        if times.contains(name), let time = found?.numberValue {
            let shown = dated(time, written: found?.shown)
            return Finding(message, at: "/" + name, expected: expected, found: shown, fix: fix)
        }
        return Finding(message, at: "/" + name, expected: expected, found: shown(found, beside: expected), fix: fix)
    }
}
