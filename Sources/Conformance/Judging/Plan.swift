/// The planned run: the chosen checks, and the data to collect for them.
package struct Plan: Sendable {
    package var target: Target
    package var profile: Profile
    package var tier: Tier
    package var threshold: Level
    package var selection: Selection
    package var waivers: [Waiver]
    /// The input to check without a run; `nil` for a run.
    package var offlineInput: OfflineInput?
    /// The tier without which nothing is decided; `nil` for whatever is reached.
    package var required: Tier?
    /// An earlier report, whose errors are known and close nothing; `nil` for none.
    package var baseline: ReportDigest?
    /// The union of the chosen checks' needs, within the tier.
    package var needs: Set<Need>
    /// The scenarios of the run, in order.
    package var scenarios: [Scenario]
    /// How many sign-ins are allowed; `nil` for as many as it takes.
    package var signInLimit: Int?
    /// How many of one user's passwords are sent in a minute; `nil` for what every product allows.
    package var signInsPerMinute: Int?
    /// The scenarios left out because of the limit.
    package var leftOut: [DroppedScenario] = []
    /// Whether users sign in by hand, in browsers that the run cannot use.
    package var isByHand = false
    /// Whether each document is requested once: then comparisons of several responses are left out.
    package var asksOnce = false
    /// Whether the user has set the run's limit of time, which pauses then count against.
    package var secondsAreStated = false
    /// Seconds to pause before probes whose result depends on elapsed time; `nil` if such steps are left out.
    package var longWait: Double?

    package init(
        target: Target,
        profile: Profile,
        tier: Tier,
        threshold: Level = .error,
        selection: Selection = Selection(),
        waivers: [Waiver] = [],
        needs: Set<Need> = [],
        scenarios: [Scenario] = []
    ) {
        self.target = target
        self.profile = profile
        self.tier = tier
        self.threshold = threshold
        self.selection = selection
        self.waivers = waivers
        self.needs = needs
        self.scenarios = scenarios
    }

    /// Whether any request sends a user's credentials.
    package var hasSignIn: Bool {
        scenarios.contains { signIns(of: $0) > 0 } || signIns.planned > 0
    }

    /// How many browsers are shared by scenarios that need no fresh one: those that the flows leave behind, and at least
    /// two when there is much to do and the limit allows it.
    package var sharedBrowsers: Int {
        if isByHand { return 0 }
        let sharing = scenarios.count(where: \.sharesBrowser)
        let wanted = max(flowBrowsers, sharing > 4 ? 2 : 1)
        let allowed = signInLimit.map { max(1, flowBrowsers + $0 - scenarios.map(signIns).reduce(0, +)) } ?? wanted
        return min(sharing, wanted, max(flowBrowsers, allowed))
    }

    var flowBrowsers: Int { scenarios.count(where: \.leavesBrowser) }

    /// Why a check is left out of the run; `nil` when it is chosen.
    package func exclusion(of check: Check) -> Reason? {
        if !profile.contains(check.id) {
            return Reason("not part of profile \(profile.name)", .notInProfile)
        }
        if let adjustment = profile.adjustment(for: check.id), adjustment.drop {
            return Reason("dropped by profile \(profile.name): \(adjustment.because)", .dropped)
        }
        if let reason = selection.exclusion(of: check.id) { return reason }
        if asksOnce, check.needs.contains(where: \.isComparison) {
            return "compares several responses, and this run requests each document only once"
        }
        if let missing = leftOut.first(where: { check.needs.contains(.probe($0.scenario)) }) {
            return Reason(missing.why)
        }
        if offlineInput != nil, check.needs.contains(where: { if case .probe = $0 { true } else { false } }) {
            return OfflineInput.needsARun
        }
        if let need = check.needs.max(by: { $0.tier < $1.tier }), need.tier > tier {
            return offlineInput == nil
                ? "needs tier \(need.tier.rawValue); this run is \(tier.rawValue)" : OfflineInput.needsARun
        }
        return nil
    }
}

/// `--only` and `--skip`.
package struct Selection: Sendable, Hashable {
    /// Empty means all.
    package var only: [CheckPattern] = []
    package var skip: [CheckPattern] = []
    /// The user's own selection: `--only`, or the variable that sets it; `nil` where the program chooses.
    package var onlySource: String? = "--only"
    /// `--skip`, or the variable that sets it.
    package var skipSource = "--skip"

    package init(only: [CheckPattern] = [], skip: [CheckPattern] = []) {
        self.only = only
        self.skip = skip
    }

    /// The checks of the given input, of which the user chooses some by other patterns if at all.
    package init(ofOfflineInput checks: [CheckPattern], skip: [CheckPattern]) {
        self.init(only: checks, skip: skip)
        onlySource = nil
    }

    package func exclusion(of id: CheckID) -> Reason? {
        if let pattern = skip.first(where: { $0.matches(id) }) {
            return Reason("left out by \(skipSource) \(pattern)", .skipped)
        }
        if isChosen(id) { return nil }
        return onlySource.map { Reason("not chosen by \($0)", .notChosen) } ?? OfflineInput.notAbout
    }

    /// The option or variable by which the user skips a check; `nil` where the user does not.
    func skipper(of id: CheckID) -> String? {
        if skip.contains(where: { $0.matches(id) }) { return skipSource }
        return isChosen(id) ? nil : onlySource
    }

    private func isChosen(_ id: CheckID) -> Bool { only.isEmpty || only.contains { $0.matches(id) } }
}

/// A finding that is known and accepted for a time.
package struct Waiver: Sendable, Hashable, Codable {
    package var check: CheckID
    package var because: String
    /// The last day on which it applies, `2027-03-31` in UTC; `nil` for no end.
    package var until: CalendarDay?
    /// The source: `preflight.yaml:14`.
    package var source: String

    package init(check: CheckID, because: String, until: CalendarDay? = nil, source: String) {
        self.check = check
        self.because = because
        self.until = until
        self.source = source
    }

    /// - Parameter now: Seconds since 1970.
    package func isExpired(at now: Double) -> Bool {
        until.map { now >= $0.endSecondsSince1970 } ?? false
    }
}

/// A day of the Gregorian calendar in UTC.
package struct CalendarDay: Sendable, Hashable, Codable, CustomStringConvertible {
    let year: Int
    let month: Int
    let day: Int

    /// `nil` unless the text is a real day written `YYYY-MM-DD`.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
            (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    package var description: String {
        let padded = { (number: Int, width: Int) in
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// The first second after the day, since 1970 (days from civil, proleptic Gregorian calendar).
    package var endSecondsSince1970: Double {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Double(era * 146_097 + dayOfEra - 719_468 + 1) * 86_400
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
