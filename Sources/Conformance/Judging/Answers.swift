/// The answers to a user's questions before registering a provider: whether sign-in works there, whether it is safe, and
/// whether it conforms.
package struct Answers: Sendable, Hashable, Codable {
    package var signIn: SignIn
    package var safety: Answer
    package var conformance: Answer
    /// Whether a violated specification is counted under the two other answers: then the report must not say that none is
    /// violated.
    package var hasOtherDeviations: Bool
    /// The platform whose rules the profile has; `nil` for the rules of all clients.
    package var platform: String?
    /// The options and variables by which the user skipped checks.
    package var skippedBy: [String] = []

    package init(signIn: SignIn, safety: Answer, conformance: Answer, hasOtherDeviations: Bool = false) {
        self.signIn = signIn
        self.safety = safety
        self.conformance = conformance
        self.hasOtherDeviations = hasOtherDeviations
    }

    package enum SignInVerdict: String, Sendable, Codable, CaseIterable {
        /// The test user came back to the client in every flow that is configured, and nothing that was found keeps others out.
        case works
        /// The test user could not sign in, or a finding breaks sign-in for clients that check.
        case fails
        /// No sign-in reached the client, and the configuration may be the reason as well as the provider.
        case inconclusive = "undecided"
        /// No sign-in was requested.
        case notTried
    }

    package struct SignIn: Sendable, Hashable, Codable {
        package var verdict: SignInVerdict
        /// In the order of the configuration.
        package var flows: [Flow]
        /// The checks whose failure breaks sign-in.
        package var problems: Int
        package var tally = Tally()
        /// Why no sign-in reached the client, or why it was not tried; `nil` if the test user reached it.
        package var reason: String?

        /// Whether a sign-in was requested.
        package var wasTried: Bool { flows.contains { $0.verdict != .notTried } }

        package init(
            _ verdict: SignInVerdict,
            flows: [Flow] = [],
            problems: Int = 0,
            _ tally: Tally = Tally(),
            because reason: String? = nil
        ) {
            self.verdict = verdict
            self.flows = flows
            self.problems = problems
            self.tally = tally
            self.reason = reason
        }
    }

    /// Whether the test user came back to the client in one flow.
    package struct Flow: Sendable, Hashable, Codable {
        /// The response type, or `OAuth 1.0`.
        package var name: String
        package var verdict: SignInVerdict

        package init(_ name: String, _ verdict: SignInVerdict) {
            self.name = name
            self.verdict = verdict
        }
    }

    /// How the problems of an answer stand with the gate, and how many checks were skipped.
    package struct Tally: Sendable, Hashable, Codable {
        /// The problems that the configuration waives.
        package var waived = 0
        /// The first day on which a waiver ends; `nil` where none does.
        package var waivedUntil: CalendarDay?
        /// The problems that another answer's failure causes, and those failures: the gate closes by them.
        package var caused = 0
        package var causes: [CheckID] = []
        /// The problems that the profile has below the level that closes the gate.
        package var lowered = 0
        /// The checks that close the gate although they are no problem: warnings and notices, by `--fail-on`.
        package var raised = 0
        /// The checks that the user skipped.
        package var skipped = 0

        package init() {}
    }

    package enum Verdict: String, Sendable, Codable, CaseIterable {
        /// Everything in scope was checked, without errors.
        case sound
        case problems
        /// Some checks in scope were skipped or inconclusive.
        case inconclusive = "undecided"
        /// Nothing in scope was checked.
        case notTried
    }

    /// An answer that is the sum of checks.
    package struct Answer: Sendable, Hashable, Codable {
        package var verdict: Verdict
        /// The checks that failed and weigh.
        package var problems: Int
        package var tally = Tally()
        /// The checks that failed and weigh less.
        package var belowThreshold: Int
        package var judged: Int
        /// The checks at error level that were skipped or inconclusive.
        package var notJudged: Int
        /// The inconclusive checks of every level.
        package var inconclusive = 0

        package init(verdict: Verdict, problems: Int = 0, belowThreshold: Int = 0, judged: Int = 0, notJudged: Int = 0)
        {
            self.verdict = verdict
            self.problems = problems
            self.belowThreshold = belowThreshold
            self.judged = judged
            self.notJudged = notJudged
        }
    }
}
