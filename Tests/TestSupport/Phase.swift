import Foundation
package import Testing

/// A part of `make test-all` that `make test` leaves out.
///
/// A suite names its phase by ``Testing/Trait/phase(_:)``; the script `Scripts/phase.sh` finds the suites of a phase by that trait.
package enum Phase: String, CaseIterable, Sendable {
    /// Starts our programs as child processes: signals, terminals, pipes, shells.
    case programs
    /// The network is the subject: sockets, TLS, addresses, CORS, back-channel requests.
    case sockets
    /// Attacks that take a minute of both cores.
    case hostile
    /// Whole runs beyond the fault matrix: personas, forgotten configuration keys, AI hosts. A minute of both cores.
    case runs
    /// Real OpenID Providers on loopback.
    case providers
    /// Chromium and Firefox.
    case browsers
    /// Batch runs over many issuers.
    case fleet
    /// Deliverables: linkage, packages, container images.
    case release
    /// Needs the whole machine, for a reason given next to the trait; its suites run one after the other.
    case timed

    /// Whether `PREFLIGHT_TESTS` lists the phase (separated by commas) or is `all`.
    package var isRequested: Bool { Self.requested.contains(rawValue) || Self.requested.contains("all") }

    private static let requested = Set(
        (ProcessInfo.processInfo.environment["PREFLIGHT_TESTS"] ?? "").split(separator: ",").map(String.init)
    )
}

extension Trait where Self == ConditionTrait {
    /// Runs the suite only in the named phase of `make test-all`.
    package static func phase(_ phase: Phase) -> Self {
        .enabled(if: phase.isRequested, "runs in the phase \(phase.rawValue) of make test-all")
    }
}
