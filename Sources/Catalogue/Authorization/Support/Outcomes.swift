import Conformance

/// How a request beside the flows ended, as several checks ask it.
extension AnsweredAuthorization {
    /// Whether the client was given a code or a token.
    var isGranted: Bool {
        guard let redirect = answer.redirect else { return false }
        return !redirect.has("error") && redirect.isGrant
    }

    /// What the request was refused with; `nil` when it was not refused.
    var refusal: String? {
        switch answer.ending {
        case .page(let page):
            guard case .refused = outcome else { return nil }
            return page.phrase
        case .redirected(let redirect) where redirect.has("error"): return "the error \(redirect.errorText)"
        case .redirected: return nil
        }
    }
}

/// Checks of the same shape: a request that must go through.
enum AcceptedRequests {
    /// A check that a step of a scenario ends without a refusal.
    ///
    /// - Parameters:
    ///   - id: The check.
    ///   - title: The good state.
    ///   - requirement: How much the text demands it.
    ///   - citation: The text.
    ///   - why: What goes wrong otherwise.
    ///   - slot: The answer to the request.
    ///   - what: What is special about the request: `display=page`.
    ///   - parameter: The parameter that findings point at.
    ///   - fix: What to change.
    ///   - excuses: Further checks that say the same.
    ///   - unless: Why no request need go through; `nil` where one must.
    ///   - exempt: Why a request need not go through; `nil` when it must.
    static func check(
        _ id: CheckID,
        _ title: String,
        _ requirement: Requirement,
        _ consequence: Consequence,
        _ citation: Citation,
        why: String,
        reads slot: Slot<AnsweredAuthorization>,
        what: String,
        at parameter: String?,
        fix: String,
        excusedBy excuses: [CheckID] = [],
        unless: (@Sendable (Facts) -> String?)? = nil,
        exempt: @escaping @Sendable (AnsweredAuthorization) -> String? = { _ in nil }
    ) -> Check {
        Check(
            id,
            title,
            requirement,
            consequence,
            citation,
            why: why,
            reads: slot,
            excusedBy: ["authorization.flow.succeeds"] + excuses,
            unless: unless,
            exempt: { subject, _ in exempt(subject) ?? subject.isUndecided },
            finding: { subject, _ in
                guard let refusal = subject.refusal else { return nil }
                return Finding(
                    "A request with \(what) was answered with \(refusal).",
                    at: parameter,
                    expected: "the same as without",
                    found: refusal,
                    fix: fix
                )
            }
        )
    }
}

extension Facts {
    /// Whether a request was refused once more, and with less in it as well: then other flows prove nothing of what was left out.
    func wasRefusedWithout(_ simpler: StepID) -> Bool {
        let again = collected.run(Scenario.refusedRequest.id)?[.again]?.authorization.value
        return again != nil && !collected.takesRefusedRequest(simpler)
    }
}
