import Conformance

/// The result of a request outside the flows, as several checks read it.
extension AuthorizationResult {
    /// Whether the client received a code or a token.
    var isGranted: Bool {
        guard let redirect = answer.redirect else { return false }
        return !redirect.has("error") && redirect.isGrant
    }

    /// The page or error that rejected the request; `nil` when it was not rejected.
    var refusal: String? {
        switch answer.ending {
        case .page(let page):
            guard case .refused = outcome else { return nil }
            return page.phrase
        case .redirected(let redirect) where redirect.has("error"): return "the error \(redirect.errorText)"
        case .redirected: return outcome == .refused(.unnamed) ? Outcome.Refusal.redirectWithoutResult : nil
        }
    }
}

/// Checks of the same form: a request that must be accepted.
enum AcceptedRequests {
    /// A check that a step of a scenario is not rejected.
    ///
    /// - Parameters:
    ///   - id: The check.
    ///   - title: The sentence that is true when the check passes.
    ///   - requirement: The level of the requirement.
    ///   - citation: The specification.
    ///   - why: The harm otherwise.
    ///   - query: The response to the request.
    ///   - what: The special part of the request: `display=page`.
    ///   - parameter: The parameter that findings point at.
    ///   - fix: The change to make.
    ///   - supersedes: Further checks that report the same.
    ///   - unless: Why no request has to be accepted; `nil` when one must.
    ///   - exempt: Why this request does not have to be accepted; `nil` when it must.
    static func check(
        _ id: CheckID,
        _ title: String,
        _ requirement: Requirement,
        _ consequence: Consequence,
        _ citation: Citation,
        why: String,
        reads query: Query<AuthorizationResult>,
        what: String,
        at parameter: String?,
        fix: String,
        supersededBy supersedes: [CheckID] = [],
        unless: (@Sendable (Facts) -> String?)? = nil,
        exempt: @escaping @Sendable (AuthorizationResult) -> String? = { _ in nil }
    ) -> Check {
        Check(
            id,
            title,
            requirement,
            consequence,
            citation,
            why: why,
            reads: query,
            supersededBy: ["authorization.flow.succeeds"] + supersedes,
            unless: unless,
            exempt: { subject, _ in exempt(subject) ?? subject.isInconclusive },
            finding: { subject, _ in
                guard let refusal = subject.refusal else { return nil }
                return Finding(
                    "The provider rejects a request with \(what): \(refusal).",
                    at: parameter,
                    expected: "the response to an ordinary request",
                    found: refusal,
                    fix: fix
                )
            }
        )
    }
}

extension Facts {
    /// Whether a request was rejected once more, and a simpler one as well: then other flows prove nothing about the difference.
    func wasRefusedWithout(_ simpler: StepID) -> Bool {
        let again = collected.run(Scenario.refusedRequest.id)?[.again]?.authorization.value
        return again != nil && !collected.takesRefusedRequest(simpler)
    }
}
