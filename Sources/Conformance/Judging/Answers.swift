/// The answers to what a user asks before a provider is registered: whether sign-in works there, whether it is safe, and whether
/// it conforms.
package struct Answers: Sendable, Hashable, Codable {
    package var signIn: SignIn
    package var safety: Answer
    package var conformance: Answer
    /// Whether a specification's text is broken that the two other answers count: then nobody should read that all are kept.
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
        /// The provider kept the test user out, or what was found keeps people out of clients that look.
        case fails
        /// Nobody came back to the client, and the configuration explains it as well as the provider does.
        case undecided
        /// Nobody was to sign in.
        case notTried
    }

    package struct SignIn: Sendable, Hashable, Codable {
        package var verdict: SignInVerdict
        /// In the order of the configuration.
        package var flows: [Flow]
        /// The checks whose failure keeps people out.
        package var problems: Int
        package var tally = Tally()
        /// Why nobody came back, or why it was not tried; `nil` where the test user came back.
        package var reason: String?

        /// Whether somebody was to sign in.
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
        /// The checks that the user skipped.
        package var skipped = 0

        package init() {}
    }

    package enum Verdict: String, Sendable, Codable, CaseIterable {
        /// Everything of it that was to be judged was, and nothing that weighs was found.
        case sound
        case problems
        /// Something of it that weighs could not be judged.
        case undecided
        /// Nothing of it was judged.
        case notTried
    }

    /// An answer that is the sum of checks.
    package struct Answer: Sendable, Hashable, Codable {
        package var verdict: Verdict
        /// The checks that failed and weigh.
        package var problems: Int
        package var tally = Tally()
        /// The checks that failed and weigh less.
        package var remarks: Int
        package var judged: Int
        /// The checks that weigh and could not be judged.
        package var notJudged: Int

        package init(verdict: Verdict, problems: Int = 0, remarks: Int = 0, judged: Int = 0, notJudged: Int = 0) {
            self.verdict = verdict
            self.problems = problems
            self.remarks = remarks
            self.judged = judged
            self.notJudged = notJudged
        }
    }
}
