/// One hook of the provider that a fault can change; it records whether a fault has changed it.
///
/// Changes of several faults to one hook are combined if possible: edits are applied in sequence, and a decision is
/// passed to the next one. For other hooks only the last fault would count, which ``Fault/conflict(among:)`` reports.
@propertyWrapper
package struct Hook<Value: Sendable>: Sendable {
    private var value: Value
    private var isChanged = false
    private let join: (@Sendable (Value, Value) -> Value)?

    package init(wrappedValue: Value) {
        value = wrappedValue
        join = nil
    }

    package init(wrappedValue: Value, joining join: @escaping @Sendable (Value, Value) -> Value) {
        value = wrappedValue
        self.join = join
    }

    package var wrappedValue: Value {
        get { value }
        set {
            value = isChanged ? join?(value, newValue) ?? newValue : newValue
            isChanged = isChanged || PersonaChanges.areOver
        }
    }
}

/// Functions that combine two changes of one hook.
enum HookCombination {
    @Sendable
    static func edits<A>(
        _ first: @escaping @Sendable (inout A) -> Void,
        _ second: @escaping @Sendable (inout A) -> Void
    ) -> @Sendable (inout A) -> Void {
        { value in
            first(&value)
            second(&value)
        }
    }

    @Sendable
    static func edits<A, B>(
        _ first: @escaping @Sendable (inout A, B) -> Void,
        _ second: @escaping @Sendable (inout A, B) -> Void
    ) -> @Sendable (inout A, B) -> Void {
        { value, place in
            first(&value, place)
            second(&value, place)
        }
    }

    @Sendable
    static func edits<A, B>(
        _ first: @escaping @Sendable (A, inout B) -> Void,
        _ second: @escaping @Sendable (A, inout B) -> Void
    ) -> @Sendable (A, inout B) -> Void {
        { place, value in
            first(place, &value)
            second(place, &value)
        }
    }

    @Sendable
    static func edits<A, B, C>(
        _ first: @escaping @Sendable (A, B, inout C) -> Void,
        _ second: @escaping @Sendable (A, B, inout C) -> Void
    ) -> @Sendable (A, B, inout C) -> Void {
        { visitor, place, value in
            first(visitor, place, &value)
            second(visitor, place, &value)
        }
    }

    @Sendable
    static func edits<A, B>(
        _ first: @escaping @Sendable (inout A, inout B) -> Void,
        _ second: @escaping @Sendable (inout A, inout B) -> Void
    ) -> @Sendable (inout A, inout B) -> Void {
        { value, other in
            first(&value, &other)
            second(&value, &other)
        }
    }

    /// The last argument is the default decision.
    @Sendable
    static func decisions<A, B>(
        _ first: @escaping @Sendable (A, B) -> B,
        _ second: @escaping @Sendable (A, B) -> B
    ) -> @Sendable (A, B) -> B {
        { asked, usual in second(asked, first(asked, usual)) }
    }
}

/// The state that is common to hooks of all types.
private protocol HookState {
    /// Whether a fault has changed it.
    var isSet: Bool { get }
    /// Whether the next fault's change replaces it.
    var isExclusive: Bool { get }
}

extension Hook: HookState {
    fileprivate var isSet: Bool { isChanged }
    fileprivate var isExclusive: Bool { join == nil }
}

/// Marks a persona's own changes: a fault at the same hook replaces them and does not conflict with them.
private enum PersonaChanges {
    @TaskLocal static var areOver = true
}

extension Hooks {
    /// The hooks of a provider with its own deviations.
    init(_ habits: (@Sendable (inout Hooks) -> Void)?) {
        self.init()
        PersonaChanges.$areOver.withValue(false) { habits?(&self) }
    }

    /// The names of the changed hooks that only one fault can change, such as `life.rotates`.
    var taken: Set<String> { Self.taken(in: self, under: "") }

    private static func taken(in hooks: Any, under path: String) -> Set<String> {
        var names: Set<String> = []
        for child in Mirror(reflecting: hooks).children {
            guard let label = child.label else { continue }
            let name = path + (label.hasPrefix("_") ? String(label.dropFirst()) : label)
            if let hook = child.value as? any HookState {
                if hook.isSet, hook.isExclusive { names.insert(name) }
            } else {
                names.formUnion(taken(in: child.value, under: name + "."))
            }
        }
        return names
    }
}

extension Fault {
    /// The first two faults that exclude each other, and the hook that both change; `nil` if all can be combined.
    package static func conflict(among faults: [Fault]) -> (first: Fault, second: Fault, place: String)? {
        var holders: [String: Fault] = [:]
        for fault in faults {
            var hooks = Hooks()
            fault.change(&hooks)
            for place in hooks.taken.sorted() {
                if let first = holders[place], first.id != fault.id { return (first, fault, place) }
                holders[place] = fault
            }
        }
        return nil
    }
}
