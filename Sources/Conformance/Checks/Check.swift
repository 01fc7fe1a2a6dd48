/// One rule about a provider: all that is known about it, and the rule itself.
///
/// Declared once, as a `static let` of a caseless enum in the catalogue. The help text, the generated pages, the reports
/// and the fault matrix all derive from this value.
package struct Check: Sendable, Identifiable, CustomStringConvertible {
    /// The data known before any evidence; a reference, because every report copies that of hundreds.
    package let metadata: Metadata
    /// The answers on which a subject without findings passes.
    package let passesOn: PassingAnswer
    private let judgement: @Sendable (Facts) -> Verdict

    /// Declares a check over one evidence query.
    ///
    /// - Parameters:
    ///   - id: A dotted statement that is true when the check passes.
    ///   - consequence: The consequence of a failure. It has no default: the author of a check decides.
    ///   - endangers: Of a check whose consequence is ``Consequence/safety``: whom.
    ///   - query: The evidence that is read. Absent, not attempted or not applicable subjects never reach `rule`.
    ///   - feature: The feature of the member or the claim that it is about; `nil` if query and stage determine it.
    ///   - supersededBy: Checks whose failure makes this one say nothing new.
    ///   - checksStatuses: Whether the rule is about servers that are not available, which says nothing of anything else.
    ///   - passesOn: The answers on which a subject without findings passes.
    ///   - unless: Why the rule does not concern the provider, whether or not the request was successful; `nil` when it does.
    ///   - exempt: Why the rule does not concern a subject; `nil` when it does.
    ///   - rule: The findings about one subject; an empty list is a pass. All findings, never only the first.
    package init<Subject: Sendable>(
        _ id: CheckID,
        _ title: String,
        _ requirement: Requirement,
        _ consequence: Consequence,
        _ citation: Citation,
        why: String,
        endangers: AffectedParties = .usersOfFeature,
        reads query: Query<Subject>,
        concerns feature: Feature? = nil,
        supersededBy: [CheckID] = [],
        checksStatuses: Bool = false,
        passesOn: PassingAnswer = .any,
        unless: (@Sendable (Facts) -> String?)? = nil,
        exempt: (@Sendable (Subject, Facts) -> String?)? = nil,
        rule: @escaping @Sendable (Subject, Facts) -> [Finding]
    ) {
        self.metadata = Metadata(
            id: id,
            title: title,
            requirement: requirement,
            consequence: consequence,
            citation: citation,
            why: why,
            needs: query.needs,
            reads: query.name,
            features: { stage in query.features.union([stage.feature, feature].compactMap(\.self)) },
            endangers: endangers,
            supersededBy: supersededBy
        )
        self.passesOn = passesOn
        self.judgement = { facts in
            Check.combine(
                query.samples(facts)
                    .map { sample in
                        let verdict = Check.verdict(
                            of: sample,
                            facts: facts,
                            checksStatuses: checksStatuses,
                            unless: unless,
                            exempt: exempt,
                            rule: rule
                        )
                        return verdict == .passed ? Check.pass(on: passesOn, sample, facts) : verdict
                    },
                ifEmpty: query.whenEmpty
            )
        }
    }

    /// Declares a check whose rule finds one thing at the most: `nil` is a pass.
    ///
    /// The parameters are those of the declaration above.
    // A closure without a label is the rule of that one, which is looked at first.
    @_disfavoredOverload
    package init<Subject: Sendable>(
        _ id: CheckID,
        _ title: String,
        _ requirement: Requirement,
        _ consequence: Consequence,
        _ citation: Citation,
        why: String,
        endangers: AffectedParties = .usersOfFeature,
        reads query: Query<Subject>,
        concerns feature: Feature? = nil,
        supersededBy: [CheckID] = [],
        checksStatuses: Bool = false,
        passesOn: PassingAnswer = .any,
        unless: (@Sendable (Facts) -> String?)? = nil,
        exempt: (@Sendable (Subject, Facts) -> String?)? = nil,
        finding: @escaping @Sendable (Subject, Facts) -> Finding?
    ) {
        self.init(
            id,
            title,
            requirement,
            consequence,
            citation,
            why: why,
            endangers: endangers,
            reads: query,
            concerns: feature,
            supersededBy: supersededBy,
            checksStatuses: checksStatuses,
            passesOn: passesOn,
            unless: unless,
            exempt: exempt,
            rule: { subject, facts in finding(subject, facts).map { [$0] } ?? [] }
        )
    }

    /// Another check of the same rule: with another name, superseded by other checks, or in another stage.
    package init(
        _ other: Check,
        id: CheckID? = nil,
        supersededBy: [CheckID]? = nil,
        in stage: Stage? = nil
    ) {
        metadata = Metadata(other.metadata, id: id, supersededBy: supersededBy, in: stage)
        passesOn = other.passesOn
        judgement = other.judgement
    }

    package var description: String { id.rawValue }

    /// The answers on which a subject without findings passes.
    package enum PassingAnswer: Sendable {
        /// Every answer: the rule itself looks at it.
        case any
        /// Every answer that is not ``Outcome/open(_:)``.
        case answer
        /// Only a rejection: not a page that requests the sign-in before the provider checks the request.
        case refusal
    }

    /// The result of the rule for the evidence, before supersession, profile and waivers.
    package func judge(_ facts: Facts) -> Verdict {
        judgement(facts)
    }

    private static func verdict<Subject: Sendable>(
        of sample: Sample<Subject>,
        facts: Facts,
        checksStatuses: Bool,
        unless: (@Sendable (Facts) -> String?)?,
        exempt: (@Sendable (Subject, Facts) -> String?)?,
        rule: @Sendable (Subject, Facts) -> [Finding]
    ) -> Verdict {
        switch sample.observation {
        case .absent(let why):
            return unless?(facts).map(Verdict.notApplicable)
                ?? .inconclusive(facts.signInSequence.explained(why, at: sample.exchange))
        case .notAttempted(let why): return .notAttempted(why)
        case .observed(let subject):
            if let why = unless?(facts) ?? exempt?(subject, facts) { return .notApplicable(why) }
            let findings = rule(subject, facts)
                .map { finding in
                    var finding = finding
                    if finding.subjects.isEmpty, let label = sample.label { finding.subjects = [label] }
                    finding.exchange = finding.exchange ?? sample.exchange
                    return finding
                }
            if findings.isEmpty { return .passed }
            if checksStatuses { return .failed(findings) }
            // A temporary error is not a response (RFC 6585 section 4, RFC 9110 section 15.6.4).
            var whyNot: [Int: String] = [:]
            for exchange in Set(findings.compactMap(\.exchange)) {
                whyNot[exchange] = facts.evidence.exchange(exchange)?.response?.whyNotNow
            }
            guard !whyNot.isEmpty else { return .failed(findings) }
            let reason = { (finding: Finding) -> String? in finding.exchange.flatMap { whyNot[$0] } }
            let answered = findings.filter { reason($0) == nil }
            if answered.isEmpty, let why = findings.compactMap(reason).first { return .inconclusive(why) }
            return .failed(answered)
        }
    }

    /// The verdict of a subject without findings: a pass, unless its answer says nothing of what the check requires.
    private static func pass<Subject: Sendable>(
        on required: PassingAnswer,
        _ sample: Sample<Subject>,
        _ facts: Facts
    ) -> Verdict {
        guard required != .any else { return .passed }
        if let status = facts.evidence.exchange(sample.exchange)?.response?.status,
            let open = Outcome.Open(status: status, sample.exchange, in: facts.evidence)
        {
            return .inconclusive(open.reason)
        }
        guard required == .refusal else { return .passed }
        if let answered = sample.observation.value as? AuthorizationResult, let why = answered.isInconclusive {
            return .notApplicable(why)
        }
        return facts.whyUnattributed(sample.exchange).map(Verdict.inconclusive) ?? .passed
    }

    /// One verdict over several subjects: a failure anywhere fails, missing evidence anywhere forbids a pass.
    private static func combine(_ verdicts: [Verdict], ifEmpty reason: String) -> Verdict {
        let findings = verdicts.flatMap(\.findings)
        if !findings.isEmpty { return .failed(Finding.merged(findings)) }
        if let unclear = verdicts.first(where: { if case .inconclusive = $0 { true } else { false } }) {
            return unclear
        }
        if verdicts.contains(.passed) { return .passed }
        if let exempt = verdicts.first(where: { if case .notApplicable = $0 { true } else { false } }) { return exempt }
        return verdicts.first ?? .notApplicable(reason)
    }
}

extension Check {
    /// The features of one of its findings: more than the check itself if that is about many members.
    func features(of finding: Finding) -> Set<Feature> {
        guard stage == .discovery, let member = finding.pointer?.split(separator: "/").first else { return features }
        return features.union([Feature.ofMember(String(member))].compactMap(\.self))
    }
}
