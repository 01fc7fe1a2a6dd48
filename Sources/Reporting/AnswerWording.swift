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
        let problems = counted(signIn.problems, "problem") + Self.standing(signIn.problems, signIn.tally)
        let skipped = skipped(signIn.tally)
        let fails = platform.map { "Sign-in will fail at \($0.shown(limit: 60))" } ?? "Sign-in fails with some clients"
        let others = names.isEmpty ? "" : "; it works with \(names)"
        switch signIn.verdict {
        case .works: return "Sign-in works\(asFarAsChecked(signIn.tally)): \(names)\(skipped)"
        case .fails where signIn.reason == nil: return "\(fails): \(problems); the test user got in\(skipped)"
        case .fails where !signIn.wasTried: return "\(fails): \(problems); nobody tried here\(skipped)"
        case .fails where !signIn.flows.contains { $0.verdict == .fails }:
            let missed = signIn.flows.filter { $0.verdict != .works }.map(\.name).joined(separator: ", ")
            let flows = names.isEmpty ? "" : " with \(missed)"
            return "\(fails): \(problems); the test user did not get in\(flows): \(reason)\(skipped)"
        case .fails:
            return (platform == nil ? "Sign-in fails" : fails) + ": \(reason)\(others)\(skipped)"
        case .undecided: return "Sign-in undecided: \(reason)\(others)\(skipped)"
        case .notTried: return "Sign-in not tried: \(reason)\(skipped)"
        }
    }

    private var safetySentence: String {
        switch safety.verdict {
        case .sound:
            "Safe\(asFarAsChecked(safety.tally)): no problem in \(counted(safety.judged, "check"))\(rest(safety))"
        case .problems:
            "Not safe: \(counted(safety.problems, "problem"))\(Self.standing(safety.problems, safety.tally))\(rest(safety))"
        case .undecided: "Safety undecided: \(counted(safety.notJudged, "check")) could not be judged\(rest(safety))"
        case .notTried: "Safety not judged\(skipped(safety.tally))"
        }
    }

    private var conformanceSentence: String {
        switch conformance.verdict {
        case .sound:
            "Conforms\(hasOtherDeviations ? " otherwise" : "")\(asFarAsChecked(conformance.tally)): no"
                + "\(hasOtherDeviations ? " further" : "") deviation in \(counted(conformance.judged, "check"))"
                + rest(conformance)
        case .problems:
            "Does not conform: \(counted(conformance.problems, "deviation"))"
                + Self.standing(conformance.problems, conformance.tally) + rest(conformance)
        case .undecided:
            "Conformance undecided: \(counted(conformance.notJudged, "check")) could not be judged\(rest(conformance))"
        case .notTried: "Conformance not judged\(skipped(conformance.tally))"
        }
    }

    private func rest(_ answer: Answer) -> String {
        (answer.remarks == 0 ? "" : ", \(counted(answer.remarks, "remark"))") + skipped(answer.tally)
    }

    private func asFarAsChecked(_ tally: Tally) -> String { tally.skipped == 0 ? "" : " as far as checked" }

    /// `; 39 checks skipped by OIDC_PREFLIGHT_SKIP`.
    private func skipped(_ tally: Tally) -> String {
        tally.skipped == 0
            ? "" : "; \(counted(tally.skipped, "check")) skipped by \(skippedBy.joined(separator: " and "))"
    }

    /// How problems stand with the gate: `, both waived until 2027-01-01`.
    private static func standing(_ problems: Int, _ tally: Tally) -> String {
        let part = { (count: Int) -> String in
            if count < problems { return "\(count) of them " }
            return problems == 1 ? "" : problems == 2 ? "both " : "all "
        }
        let others = tally.causes.count > 1 ? " and \(counted(tally.causes.count - 1, "other"))" : ""
        let texts = [
            tally.waived > 0
                ? part(tally.waived) + "waived" + (tally.waivedUntil.map { " until \($0)" } ?? "") : nil,
            tally.causes.first.map { "\(part(tally.caused))caused by \($0)\(others)" },
            tally.lowered > 0 ? "\(part(tally.lowered))below the gate's level" : nil,
        ]
        return texts.compactMap { $0.map { ", " + $0 } }.joined()
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
