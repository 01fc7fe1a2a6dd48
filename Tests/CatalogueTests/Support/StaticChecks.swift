import Catalogue
import Conformance

/// The checks of the three stages that need only documents and handshakes.
enum StaticChecks {
    static let all = (DiscoveryChecks.all + KeysChecks.all + TransportChecks.all)
        .filter { check in check.needs.allSatisfy { $0.tier == .static } }

    static func check(_ id: CheckID) -> Check? { all.first { $0.id == id } }
}
