import Conformance
import JSONTree

/// The lookup of the issuer by a user's address (Discovery section 2).
enum WebFingerChecks {
    static let namesTheIssuer = Check(
        "discovery.webfinger.names-the-issuer",
        "WebFinger names the issuer of the discovery document for the user's address",
        .must,
        .conformance,
        Citation(.discovery, "3", "this value MUST be identical to the issuer value returned by WebFinger"),
        why:
            "A platform that finds the provider by the user's address reads another document, or none, and its users cannot sign in.",
        reads: WebFinger.answer,
        finding: { answer, _ in
            if let named = answer.named, named.hasSameBytes(as: answer.issuer) { return nil }
            let status = answer.exchange.response.map { "HTTP status \($0.status)" } ?? "no response"
            return Finding(
                answer.named == nil
                    ? "WebFinger names no issuer for the user's address."
                    : "WebFinger names another issuer than the discovery document.",
                at: answer.exchange.request.url.shown(),
                expected: answer.issuer.shown(),
                found: Finding.shown(answer.named.map { .string($0) }, beside: answer.issuer.shown())
                    + (answer.named == nil ? ", \(status)" : ""),
                fix: "Return a link with the rel \(WebFinger.relation) and the issuer, byte for byte, as href."
            )
        }
    )

    static let all: [Check] = [namesTheIssuer]
}
