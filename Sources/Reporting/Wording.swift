import Conformance
import FoundationEssentials

/// The state of a check in reports.
enum CheckState: Hashable, CaseIterable {
    case closes
    /// It would close the gate, but an earlier report lists it.
    case known
    case belowThreshold
    case waived
    case inconclusive
    case superseded
    case notApplicable
    case notAttempted
    case passed

    init(_ entry: Report.Entry) {
        self =
            switch entry.verdict {
            case .passed: .passed
            case .failed where entry.closesGate: .closes
            case .failed where entry.waiver != nil: .waived
            case .failed where entry.isKnown: .known
            case .failed: .belowThreshold
            case .inconclusive: .inconclusive
            case .superseded: .superseded
            case .notApplicable: .notApplicable
            case .notAttempted: .notAttempted
            }
    }
}

extension Report {
    /// The entries of each stage that has any, in the order of the stages.
    var stages: [(stage: Stage, entries: [Entry])] {
        Stage.allCases.compactMap { stage in
            let members = entries.filter { $0.stage == stage }
            return members.isEmpty ? nil : (stage, members)
        }
    }

    func entries(_ state: CheckState) -> [Entry] {
        entries.filter { CheckState($0) == state }
    }

    /// The tool, and the issuer if known; a key set alone names none.
    var heading: String {
        let issuer = target.issuer.isEmpty ? "" : ": \(target.issuer.shown(limit: 200))"
        return tool.shown(limit: 60) + issuer
    }

    /// The three answers, and how the rules of the platform are known if it was not measured.
    var sentences: [String] { answers.sentences + [provenance].compactMap(\.self) }

    /// The source of rules that were not measured; `nil` if they were.
    var provenance: String? {
        profile.knownFrom.map { "Platform: the rules come from \($0.shown(limit: 200)), and were not measured" }
    }

    /// `Firebase Authentication (firebase-oidc, extends openid)`.
    var profileLine: String {
        let bases = profile.lineage.filter { $0 != profile.name }
        let extends = bases.isEmpty ? "" : ", extends \(bases.joined(separator: ", "))"
        return "\(profile.title) (\(profile.name)\(extends))".shown()
    }
}

extension Report {
    /// The checks that a root cause leaves without a result: `3 checks, inconclusive for this reason`.
    func shownWaiting(for cause: Cause) -> String {
        "\(counted(waiting(for: cause), "check")), inconclusive for this reason"
    }
}

extension Cause {
    /// The keys to look at, with file and line.
    var shownPlaces: String { places.map { $0.shown() }.joined(separator: ", ") }

    /// The last pages of the sign-in, for the short report; none if there was only one page, which the cause describes, or if
    /// the password was rejected.
    var pagesWorthALine: [VisitedPage] { pages.count < 2 || isRefusedPassword ? [] : Array(pages.suffix(4)) }
}

extension Waiver {
    /// `test issuer, until 2027-01-01 (preflight.yaml:14)`.
    func sentence(limit: Int) -> String {
        "\(because.shown(limit: limit))\(until.map { ", until \($0)" } ?? "") (\(source.shown(limit: 200)))"
    }
}

extension Report.Entry {
    /// Whether an option excluded it; users who set it need no reminder.
    var isLeftOutByChoice: Bool {
        guard !wasSelected, case .notAttempted(let why) = verdict else { return false }
        return skippedBy != nil || [.skipped, .notChosen, .notAbout].contains(why.kind)
    }

    /// Whether the profile does not contain the check; such checks are not counted.
    var isForeign: Bool {
        guard !wasSelected, case .notAttempted(let why) = verdict else { return false }
        return why.kind == .notInProfile || why.kind == .dropped
    }

    /// `MUST, OpenID Connect Discovery 1.0, section 4.3`.
    var authority: String { "\(requirement.word)\(requirement == .risk ? ";" : ",") \(citation)" }
}

extension Sequence {
    /// The elements grouped by key, keys in order of first appearance.
    func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, members: [Element])] {
        var places: [Key: Int] = [:]
        var groups: [(key: Key, members: [Element])] = []
        for element in self {
            let name = key(element)
            if let place = places[name] {
                groups[place].members.append(element)
            } else {
                places[name] = groups.count
                groups.append((name, [element]))
            }
        }
        return groups
    }
}

/// Numbers and moments as text.
enum Format {
    /// A moment in UTC, `2026-11-21T03:55:43Z`, clamped to the years 1970 to 9999.
    static func moment(_ secondsSince1970: Double) -> String {
        let bounded = min(max(secondsSince1970.isNaN ? 0 : secondsSince1970, 0), 253_402_300_799)
        return Date(timeIntervalSince1970: bounded).formatted(.iso8601)
    }

    /// Seconds with three decimals, rounded; never negative.
    static func seconds(_ value: Double) -> String {
        let thousandths = Int(min(max(value.isNaN ? 0 : value, 0), 1e12) * 1_000 + 0.5)
        let decimals = String(thousandths % 1_000)
        return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - decimals.count) + decimals
    }

    /// Seconds rounded to thousandths, so that reports do not show floating-point artifacts.
    static func rounded(_ value: Double) -> Double {
        let bounded = min(max(value.isNaN ? 0 : value, 0), 1e12)
        return (bounded * 1_000).rounded() / 1_000
    }
}
