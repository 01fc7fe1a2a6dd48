import Conformance

/// The wording of the three answers: a sentence each for reports, and a word each for tables.
extension Answers {
    /// `works`, `2 problems`, `ok otherwise`; the columns are named by ``headings``.
    var words: [String] {
        let signIn =
            switch signIn.verdict {
            case .works: "works"
            case .fails: "fails"
            case .inconclusive: "inconclusive"
            case .notTried: "not tried"
            }
        let conforms = conformance.verdict == .sound && hasOtherDeviations ? "ok otherwise" : nil
        return [signIn, Self.word(safety, "problem"), conforms ?? Self.word(conformance, "deviation")]
    }

    static let headings = ["sign-in", "safety", "conformance"]

    private static func word(_ answer: Answer, _ noun: String) -> String {
        switch answer.verdict {
        case .sound: "ok"
        case .problems: counted(answer.problems, noun)
        case .inconclusive: "inconclusive"
        case .notTried: "not checked"
        }
    }

    var sentences: [String] { [signInSentence, safetySentence, conformanceSentence] }

    private var signInSentence: String {
        let reason = signIn.reason.map { Self.clause($0) } ?? ""
        let names = signIn.flows.filter { $0.verdict == .works }.map(\.name).joined(separator: ", ")
        let skipped = skipped(signIn.tally)
        let others = names.isEmpty ? "" : "; works with response_type \(names)"
        switch signIn.verdict {
        case .works:
            let raised = signIn.tally.raised
            let blocking = raised == 0 ? "" : ", \(Self.countedBelow(raised)) blocking by --fail-on"
            let extent = asFarAsChecked(signIn.tally)
            return "Sign-in: works\(place) with response_type \(names)\(extent)\(blocking)\(skipped)"
        case .fails where signIn.reason == nil:
            return "\(signInProblems); the provider accepted the test user\(skipped)"
        case .fails where !signIn.wasTried: return "\(signInProblems) (no sign-in was attempted)\(skipped)"
        case .fails where !signIn.flows.contains { $0.verdict == .fails }:
            let missed = signIn.flows.filter { $0.verdict != .works }.map(\.name).joined(separator: ", ")
            let flows = names.isEmpty ? "" : " with \(missed)"
            return "\(signInProblems); the test user could not sign in\(flows): \(reason)\(skipped)"
        case .fails:
            return "Sign-in: fails\(place) because \(reason)\(others)\(skipped)"
        case .inconclusive: return "Sign-in: inconclusive\(place) because \(reason)\(others)\(skipped)"
        case .notTried: return "Sign-in: not tried because \(reason)\(skipped)"
        }
    }

    /// ` at Firebase`; empty unless the profile is that of one platform.
    private var place: String { platform.map { " at \($0.shown(limit: 60))" } ?? "" }

    /// `Sign-in: 2 problems break sign-in in clients that check for them`; with a platform, `… at Firebase`.
    private var signInProblems: String {
        let isOne = signIn.problems == 1
        // If no client can sign in, the problem is not one of strict clients.
        let clients = signIn.reason == nil ? " in clients that check for \(isOne ? "it" : "them")" : ""
        return "Sign-in: \(counted(signIn.problems, "problem")) break\(isOne ? "s" : "") sign-in"
            + (place.isEmpty ? clients : place)
            + Self.gateEffect(signIn.problems, signIn.tally)
    }

    private var safetySentence: String {
        switch safety.verdict {
        case .sound:
            "Safety: no problems\(asFarAsChecked(safety.tally)) (\(Self.evaluated(safety)))\(rest(safety))"
        case .problems:
            "Safety: \(counted(safety.problems, "problem"))\(Self.gateEffect(safety.problems, safety.tally))\(rest(safety))"
        case .inconclusive: "Safety: inconclusive (\(Self.evaluated(safety)))\(rest(safety))"
        case .notTried: "Safety: not checked\(skipped(safety.tally))"
        }
    }

    private var conformanceSentence: String {
        switch conformance.verdict {
        case .sound:
            "Conformance: no\(hasOtherDeviations ? " other" : "") deviations\(asFarAsChecked(conformance.tally)) "
                + "(\(Self.evaluated(conformance)))\(rest(conformance))"
        case .problems:
            "Conformance: \(counted(conformance.problems, "deviation"))"
                + Self.gateEffect(conformance.problems, conformance.tally) + rest(conformance)
        case .inconclusive:
            "Conformance: inconclusive (\(Self.evaluated(conformance)))\(rest(conformance))"
        case .notTried: "Conformance: not checked\(skipped(conformance.tally))"
        }
    }

    /// `124 checks`; with inconclusive ones, `38 checks with a result, 69 inconclusive`.
    private static func evaluated(_ answer: Answer) -> String {
        let checks = counted(answer.judged, "check")
        return answer.inconclusive == 0 ? checks : "\(checks) with a result, \(answer.inconclusive) inconclusive"
    }

    /// `1 warning or notice`, for a count that includes both levels.
    static func countedBelow(_ count: Int) -> String {
        count == 1 ? "1 warning or notice" : "\(count) warnings or notices"
    }

    private func rest(_ answer: Answer) -> String {
        (answer.belowThreshold == 0 ? "" : ", \(Self.countedBelow(answer.belowThreshold))") + skipped(answer.tally)
    }

    private func asFarAsChecked(_ tally: Tally) -> String { tally.skipped == 0 ? "" : " as far as checked" }

    /// `; 39 checks skipped by OIDC_PREFLIGHT_SKIP`.
    private func skipped(_ tally: Tally) -> String {
        tally.skipped == 0
            ? "" : "; \(counted(tally.skipped, "check")) skipped by \(skippedBy.joined(separator: " and "))"
    }

    /// The effect of problems on the gate: `, both waived until 2027-01-01`.
    private static func gateEffect(_ problems: Int, _ tally: Tally) -> String {
        let part = { (count: Int) -> String in
            if count < problems { return "\(count) of them " }
            return problems == 1 ? "" : problems == 2 ? "both " : "all "
        }
        let others = tally.causes.count > 1 ? " and \(counted(tally.causes.count - 1, "other finding"))" : ""
        let texts = [
            tally.waived > 0
                ? part(tally.waived) + "waived" + (tally.waivedUntil.map { " until \($0)" } ?? "") : nil,
            tally.causes.first.map { "\(part(tally.caused))caused by \($0)\(others)" },
            tally.lowered > 0 ? "\(part(tally.lowered))not blocking" : nil,
        ]
        return texts.compactMap { $0.map { ", " + $0 } }.joined()
    }

    /// A sentence within another, without its end.
    private static func clause(_ sentence: String) -> String {
        let text = sentence.shown(limit: 300)
        let isArticle = ["The ", "A ", "An ", "No "].contains(where: text.hasPrefix)
        let clause = text.hasSuffix(".") ? String(text.dropLast()) : text
        return isArticle ? clause.prefix(1).lowercased() + clause.dropFirst() : clause
    }
}

extension [Level] {
    /// The levels of failures that do not block, as in the heading of their list: `Warnings`, `Warnings and notices`.
    var titleBelow: String {
        let isMixed = contains(.warning) && contains(.notice)
        return isMixed ? "Warnings and notices" : contains(.notice) ? "Notices" : "Warnings"
    }

    var headingBelow: String { titleBelow + ", not blocking" }
}
