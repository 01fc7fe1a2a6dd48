import Conformance
import JSONTree

/// One-line forms of the registration faults that most checks need.
extension Fault {
    /// A fault of the provider whose clients register special metadata.
    static func special(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        change: @escaping @Sendable (inout Hooks) -> Void
    ) -> Fault {
        Fault(trips, variant: variant, title, also: also, persona: .specialClients, change: change)
    }

    /// A change to the HTTP response that registers a client.
    static func registered(
        _ trips: CheckID,
        _ title: String,
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        .provider(trips, title) { $0.onAnswer(.registration, 201...201, edit) }
    }

    /// A change to the HTTP response that rejects a registration.
    static func refused(
        _ trips: CheckID,
        _ title: String,
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        .provider(trips, title) { $0.onAnswer(.registration, 400...400, edit) }
    }

    /// A change to HTTP responses of the client configuration endpoint.
    static func configured(
        _ trips: CheckID,
        _ statuses: ClosedRange<Int>,
        variant: String? = nil,
        _ title: String,
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        .provider(trips, variant: variant, title) { $0.onAnswer(.clientConfiguration, statuses, edit) }
    }

    /// A change to the body of the registration response.
    static func answering(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        _ edit: @escaping @Sendable (inout JSONObject) -> Void
    ) -> Fault {
        .provider(trips, variant: variant, title) { $0.registration.response = edit }
    }

    /// Invalid metadata that is accepted.
    static func accepting(
        _ trips: CheckID,
        _ title: String,
        _ isMeant: @escaping @Sendable (JSONObject) -> Bool
    ) -> Fault {
        .provider(trips, title) { hooks in
            hooks.registration.error = { metadata, error in isMeant(metadata) ? nil : error }
        }
    }
}
