import Conformance

/// A finding for formats with one entry per finding: listed once, with the platforms whose gate it closes.
struct ReportedFinding {
    /// The check as evaluated for the platform where its level is highest.
    private(set) var entry: Report.Entry
    let finding: Finding
    /// The platforms whose gate it closes, if there are several platforms.
    private(set) var closes: [String]
    /// Its place in a file; `nil` without a known file.
    let place: SourcePlace?
    /// The request and response that show it.
    let exchange: Exchange?
    /// Depends only on check and place, so it is stable between runs, even if one of several subjects is fixed.
    private(set) var fingerprint = ""

    var state: CheckState { CheckState(entry) }

    /// The maximum number of findings, because a provider decides how many there are.
    static let most = 1_000

    /// All findings, blocking ones first and known ones last, and the number of omitted ones.
    static func all(of joint: JointReport) -> (reported: [ReportedFinding], left: Int) {
        var all: [ReportedFinding] = []
        var places: [Key: Int] = [:]
        for report in joint.reports {
            for entry in report.entries {
                for finding in entry.verdict.findings {
                    let key = Key(entry.id, finding)
                    if let place = places[key] {
                        all[place].join(entry, of: report, isOneOfSeveral: joint.reports.count > 1)
                    } else {
                        places[key] = all.count
                        all.append(ReportedFinding(entry, finding, report, isOneOfSeveral: joint.reports.count > 1))
                    }
                }
            }
        }
        let ordered = all.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element)
        return (numbered(Array(ordered.prefix(most))), max(0, ordered.count - most))
    }

    private init(_ entry: Report.Entry, _ finding: Finding, _ report: Report, isOneOfSeveral: Bool) {
        self.entry = entry
        self.finding = finding
        closes = isOneOfSeveral && entry.closesGate ? [report.profile.name] : []
        place = report.place(of: entry.stage, at: finding.pointer)
        exchange = finding.exchange.flatMap { id in report.exchanges.first { $0.id == id } }
    }

    /// Adds another platform, and its level if that is higher.
    private mutating func join(_ other: Report.Entry, of report: Report, isOneOfSeveral: Bool) {
        if isOneOfSeveral, other.closesGate { closes.append(report.profile.name) }
        if Self.rank(other) < rank { entry = other }
    }

    /// The reading order: safety first, waived findings last.
    private var rank: Int { Self.rank(entry) }

    private static func rank(_ entry: Report.Entry) -> Int {
        let weight = Level.allCases.reversed().firstIndex(of: entry.level) ?? 0
        switch CheckState(entry) {
        case .closes: return Consequence.inOrderOfReading.firstIndex(of: entry.consequence) ?? 0
        case .belowThreshold: return 10 + weight
        case .known: return 20 + weight
        default: return 30 + weight
        }
    }

    /// Adds fingerprints, numbered if two findings of a check have the same place.
    private static func numbered(_ findings: [ReportedFinding]) -> [ReportedFinding] {
        var seen: [String: Int] = [:]
        return findings.map { reported in
            let name = Fingerprint.of([reported.entry.id.rawValue, reported.finding.pointer ?? ""])
            let earlier = seen[name, default: 0]
            seen[name] = earlier + 1
            var reported = reported
            reported.fingerprint = earlier > 0 ? Fingerprint.of([name, String(earlier + 1)]) : name
            return reported
        }
    }

    /// The identity of a finding across platforms.
    private struct Key: Hashable {
        private let id: CheckID
        private let texts: [String?]
        private let authority: Finding.Authority?

        init(_ id: CheckID, _ finding: Finding) {
            self.id = id
            texts = [finding.pointer, finding.message, finding.fix] + finding.subjects
            authority = finding.authority
        }
    }
}

extension ReportedFinding {
    /// The level in formats with three levels: a blocking finding is an error, whatever the blocking level.
    var severity: Level { entry.closesGate || entry.isKnown ? .error : entry.level }

    /// The message and the values, a line each.
    ///
    /// - Parameter limit: The maximum number of characters of each provider text.
    func lines(limit: Int = 400) -> [String] {
        let rows: [(String, String?)] = [
            ("with", finding.subjectText?.shown(limit: limit)), ("at", finding.unreportedPlace),
            ("found", finding.shownFound(limit: limit)),
            ("expected", finding.shownExpected(limit: limit)), ("fix", finding.fix.shown(limit: limit)),
            ("because", finding.authority?.sentence.shown(limit: limit)),
            ("blocks", closes.isEmpty ? nil : closes.joined(separator: ", ").shown(limit: limit)),
        ]
        return [finding.message.shown(limit: limit)] + rows.compactMap { name, text in text.map { "\(name): \($0)" } }
    }
}

/// A name of fixed length for texts.
enum Fingerprint {
    /// 128 bits in hexadecimal, by FNV-1a: it only identifies, so no cryptographic hash is needed.
    static func of(_ parts: [String]) -> String {
        let prime: UInt128 = 0x0100_0000_0000_0000_0000_013B
        var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        for byte in parts.joined(separator: "\0").utf8 {
            hash ^= UInt128(byte)
            hash = hash &* prime
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
