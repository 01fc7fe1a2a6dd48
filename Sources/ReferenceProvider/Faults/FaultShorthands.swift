import Conformance
import JSONTree

/// One-line forms of the faults that most checks need.
extension Fault {
    /// A change to the discovery document.
    static func document(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        persona: Persona = .standard,
        _ edit: @escaping @Sendable (inout JSONObject) -> Void
    ) -> Fault {
        Fault(
            trips,
            variant: variant,
            title,
            also: also,
            persona: persona,
            change: { hooks in
                hooks.discovery = { document, _ in edit(&document) }
            }
        )
    }

    /// A change to the key set.
    static func keySet(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        persona: Persona = .standard,
        _ edit: @escaping @Sendable (inout JSONObject) -> Void
    ) -> Fault {
        Fault(trips, variant: variant, title, also: also, persona: persona, change: { $0.keySet = edit })
    }

    /// A change to the HTTP responses of one endpoint.
    static func answer(
        of endpoint: Endpoint,
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        Fault(
            trips,
            variant: variant,
            title,
            also: also,
            change: { hooks in
                hooks.answer = { place, answer in
                    if place == endpoint { edit(&answer) }
                }
            }
        )
    }
}

extension JSONObject {
    /// Appends to a list, which is created if it is missing.
    mutating func append(_ value: JSON, to member: String) {
        self[member] = .array((self[member]?.arrayValue ?? []) + [value])
    }

    /// Replaces the string in a member.
    mutating func rewrite(_ member: String, _ change: (String) -> String) {
        if let text = self[member]?.stringValue { self[member] = .string(change(text)) }
    }
}
