package import Conformance

/// The `state` parameter, which binds the response to the browser that sent the request.
package enum StateChecks {
    static let isEchoed = Check(
        "authorization.state.is-echoed",
        "The provider returns state exactly as the client sent it",
        .must,
        .signIn,
        Citation(.rfc6749, "4.1.2", "The exact value received from the client."),
        why: "The client compares state to detect forged responses, and rejects a response with another value.",
        reads: StepResults.successes
    ) { subject, _ in findings(subject.0.asked, subject.1) }

    static let isEchoedWithErrors = Check(
        "authorization.state.is-echoed-with-errors",
        "The provider returns state in error responses exactly as the client sent it",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "4.1.2.1",
            "REQUIRED if a \"state\" parameter was present in the client authorization request."
        ),
        why:
            "Without state the client cannot match the error to a sign-in, and shows a security error instead of the cause.",
        reads: AuthorizationErrors.all,
        supersededBy: ["authorization.flow.succeeds"],
        exempt: { subject, _ in
            // State is REQUIRED if the request had one; it is not forbidden otherwise.
            if subject.asked.sentParameter("state") == nil { return "the request had no state" }
            // No specification says which of two states counts when a request object was rejected.
            let states = subject.asked.sent.count { $0.name == "state" || $0.name == "request" }
            return states > 1 ? "the request had two states" : nil
        },
        rule: { subject, _ in findings(subject.asked, subject.redirect) }
    )

    package static let all: [Check] = [isEchoed, isEchoedWithErrors]

    static func findings(_ asked: StepEvidence, _ redirect: RedirectAnswer) -> [Finding] {
        let sent = asked.sentParameter("state")
        let received = redirect.first("state")
        switch (sent, received) {
        case (nil, nil): return []
        case (let sent?, let received?) where sent.hasSameBytes(as: received): return []
        case (nil, let received?):
            return [
                finding(
                    "The response has a state although the request had none.",
                    expected: "no state",
                    found: received.shown(),
                    fix: "Omit state from the response if the request had none."
                )
            ]
        case (.some, nil):
            return [finding("The response has no state.", expected: "the state of the request", found: "missing")]
        case (let sent?, let received?):
            return [
                finding(
                    "The state in the response differs from the state in the request.",
                    expected: sent.shown(),
                    found: received.shown()
                )
            ]
        }
    }

    private static func finding(
        _ message: String,
        expected: String,
        found: String,
        fix: String =
            "Return state unchanged and complete: percent-encode it once in a redirect, and HTML-escape it once in a form."
    ) -> Finding { Finding(message, at: "state", expected: expected, found: found, fix: fix) }
}
