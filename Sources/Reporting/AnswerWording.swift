import Conformance

/// The three answers as a person reads them: one sentence each, and one word each for a table.
extension Answers {
    /// `works`, `2 problems`, `otherwise`; beside the headings ``headings``.
    var words: [String] {
        let signIn =
            switch signIn.verdict {
            case .works: "works"
            case .fails: "fails"
            case .undecided: "undecided"
            case .notTried: "not tried"
            }
        let conforms = conformance.verdict == .sound && hasOtherDeviations ? "otherwise" : nil
        return [signIn, Self.word(safety, "problem"), conforms ?? Self.word(conformance, "deviation")]
    }

    static let headings = ["sign-in", "safe", "conforms"]

    private static func word(_ answer: Answer, _ noun: String) -> String {
        switch answer.verdict {
        case .sound: "yes"
        case .problems: counted(answer.problems, noun)
        case .undecided: "undecided"
        case .notTried: "not judged"
        }
    }

    var sentences: [String] { [signInSentence, safetySentence, conformanceSentence] }

    private var signInSentence: String {
        let reason = signIn.reason.map { Self.clause($0) } ?? ""
        let names = signIn.flows.filter { $0.verdict == .works }.map(\.name).joined(separator: ", ")
        let problems = counted(signIn.problems, "problem")
        let others = names.isEmpty ? "" : "; it works with \(names)"
        switch signIn.verdict {
        case .works: return "Sign-in works: \(names)"
        case .fails where signIn.reason == nil:
            return "Sign-in fails with some clients: \(problems); the test user got in"
        case .fails where !signIn.wasTried: return "Sign-in fails with some clients: \(problems); nobody tried here"
        case .fails: return "Sign-in fails: \(reason)\(others)"
        case .undecided: return "Sign-in undecided: \(reason)\(others)"
        case .notTried: return "Sign-in not tried: \(reason)"
        }
    }

    private var safetySentence: String {
        switch safety.verdict {
        case .sound: "Safe: no problem in \(counted(safety.judged, "check"))\(Self.remarks(safety))"
        case .problems: "Not safe: \(counted(safety.problems, "problem"))\(Self.remarks(safety))"
        case .undecided:
            "Safety undecided: \(counted(safety.notJudged, "check")) could not be judged\(Self.remarks(safety))"
        case .notTried: "Safety not judged"
        }
    }

    private var conformanceSentence: String {
        switch conformance.verdict {
        case .sound:
            "Conforms\(hasOtherDeviations ? " otherwise: no further" : ": no") deviation in "
                + counted(conformance.judged, "check") + Self.remarks(conformance)
        case .problems: "Does not conform: \(counted(conformance.problems, "deviation"))\(Self.remarks(conformance))"
        case .undecided:
            "Conformance undecided: \(counted(conformance.notJudged, "check")) could not be judged"
                + Self.remarks(conformance)
        case .notTried: "Conformance not judged"
        }
    }

    private static func remarks(_ answer: Answer) -> String {
        answer.remarks == 0 ? "" : ", \(counted(answer.remarks, "remark"))"
    }

    /// A sentence within another, without its end.
    private static func clause(_ sentence: String) -> String {
        let text = sentence.shown(limit: 300)
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

extension Consequence {
    /// What is said of failures of this kind, over their list.
    var heading: String {
        switch self {
        case .safety: "not safe"
        case .signIn: "keeps people out"
        case .conformance: "does not conform"
        }
    }

    /// The order in which they are told: first what endangers somebody, last what nobody meets.
    static let inOrderOfReading: [Consequence] = [.safety, .signIn, .conformance]
}
