import Conformance

/// The waivers of a configuration at one moment.
struct WaiverBook {
    private let waivers: [Waiver]
    private let now: Double

    /// - Parameter now: Seconds since 1970.
    init(_ waivers: [Waiver], now: Double) {
        self.waivers = waivers
        self.now = now
    }

    /// The waiver that covers a failure of the check now.
    func valid(for id: CheckID) -> Waiver? {
        waivers.first { $0.check == id && !$0.isExpired(at: now) }
    }

    /// Notes on waivers that must be renewed or deleted.
    func notes(on entries: [Report.Entry]) -> [String] {
        waivers.compactMap { waiver in
            guard let entry = entries.first(where: { $0.id == waiver.check }) else { return nil }
            let name = "The waiver for \(waiver.check) (\(waiver.source.shown()))"
            switch entry.verdict {
            case .failed where waiver.isExpired(at: now) && entry.waiver == nil:
                return "\(name) expired on \(end(waiver)): the failure counts again."
            case .passed: return "\(name) is no longer needed: the check passed."
            case .notApplicable(let why):
                return "\(name) is no longer needed: the check does not apply (\(why))."
            // A skipped, inconclusive or superseded check does not show whether its waiver is still needed.
            default: return nil
            }
        }
    }

    private func end(_ waiver: Waiver) -> String {
        waiver.until?.description ?? "an unknown date"
    }
}
