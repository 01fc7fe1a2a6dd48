import Conformance
import JSONTree

/// The faults of registration that most checks need, in one line each.
extension Fault {
    /// A fault of the provider whose clients register for special things.
    static func special(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        change: @escaping @Sendable (inout Seams) -> Void
    ) -> Fault {
        Fault(trips, variant: variant, title, also: also, persona: .specialClients, change: change)
    }

    /// A change to the HTTP answer that registers a client.
    static func registered(
        _ trips: CheckID,
        _ title: String,
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        .provider(trips, title) { $0.onAnswer(.registration, 201...201, edit) }
    }

    /// A change to the HTTP answer that refuses a client.
    static func refused(
        _ trips: CheckID,
        _ title: String,
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        .provider(trips, title) { $0.onAnswer(.registration, 400...400, edit) }
    }

    /// A change to HTTP answers of the client configuration endpoint.
    static func configured(
        _ trips: CheckID,
        _ statuses: ClosedRange<Int>,
        variant: String? = nil,
        _ title: String,
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        .provider(trips, variant: variant, title) { $0.onAnswer(.clientConfiguration, statuses, edit) }
    }

    /// A change to the body that registers a client.
    static func answering(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        _ edit: @escaping @Sendable (inout JSONObject) -> Void
    ) -> Fault {
        .provider(trips, variant: variant, title) { $0.registration.response = edit }
    }

    /// Metadata that is registered though it is wrong.
    static func accepting(
        _ trips: CheckID,
        _ title: String,
        _ isMeant: @escaping @Sendable (JSONObject) -> Bool
    ) -> Fault {
        .provider(trips, title) { seams in
            seams.registration.error = { metadata, error in isMeant(metadata) ? nil : error }
        }
    }
}
