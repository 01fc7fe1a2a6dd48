import Conformance
import JSONTree

/// The lookup of the issuer by a user's address (Discovery section 2).
enum WebFingerChecks {
    private static let fix = "Return a link with the rel \(WebFinger.relation) and the issuer, byte for byte, as href."

    static let namesAnIssuer = Check(
        "discovery.webfinger.names-an-issuer",
        "WebFinger names an issuer for the user's address",
        // A provider need not support issuer discovery.
        .risk,
        .conformance,
        Citation(.discovery, "2", "Issuer discovery is OPTIONAL"),
        why: "A platform that finds the provider by the user's address finds none, and its users cannot sign in.",
        reads: WebFinger.answer,
        finding: { answer, _ in
            guard answer.named == nil else { return nil }
            return Finding(
                "WebFinger names no issuer for the user's address.",
                at: answer.exchange.request.url.shown(),
                expected: answer.issuer.shown(),
                found: answer.exchange.response.map { "HTTP status \($0.status)" } ?? "no response",
                fix: fix
            )
        }
    )

    static let namesTheIssuer = Check(
        "discovery.webfinger.names-the-issuer",
        "WebFinger names no other issuer than the discovery document",
        .must,
        .conformance,
        Citation(.discovery, "3", "this value MUST be identical to the issuer value returned by WebFinger"),
        why:
            "A platform that finds the provider by the user's address reads another document. Most platforms use a configured issuer.",
        reads: WebFinger.answer,
        exempt: { answer, _ in answer.named == nil ? "WebFinger names no issuer" : nil },
        finding: { answer, _ in
            guard let named = answer.named, !named.hasSameBytes(as: answer.issuer) else { return nil }
            return Finding(
                "WebFinger names an issuer other than that of the discovery document.",
                at: answer.exchange.request.url.shown(),
                expected: answer.issuer.shown(),
                found: Finding.shown(.string(named), beside: answer.issuer.shown()),
                fix: fix
            )
        }
    )

    static let all: [Check] = [namesAnIssuer, namesTheIssuer]
}
