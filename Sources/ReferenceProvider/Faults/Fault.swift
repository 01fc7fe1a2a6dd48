package import Conformance

/// One defect of a provider, and the check that must report it.
///
/// A fault changes the provider's hooks (``Hooks``), or the configuration of the run; the provider itself knows no
/// faults. The fault matrix runs every fault and requires that exactly `trips` and `also` fail.
package struct Fault: Sendable, Identifiable, CustomStringConvertible {
    /// The check's identifier, with `#variant` when a check has several faults.
    package let id: String
    package let trips: CheckID
    /// Other checks that inevitably fail too.
    package let also: [CheckID]
    /// The defect in plain words.
    package let title: String
    package let persona: Persona
    package let change: @Sendable (inout Hooks) -> Void
    package let configure: @Sendable (inout Target) -> Void
    package let demand: @Sendable (inout ProfileParameters) -> Void
    /// Whether provider and configuration are unchanged, and only the platform demands more.
    package let isOfThePlatformAlone: Bool

    /// - Parameters:
    ///   - trips: The check that must fail.
    ///   - variant: Distinguishes several faults of one check.
    ///   - title: The defect.
    ///   - also: Other checks that must fail too.
    ///   - persona: The provider that has the fault.
    ///   - configure: A change to the configuration, for checks of the configuration.
    ///   - demand: A change to the relying platform's requirements that the provider does not meet.
    ///   - change: A change to the provider's hooks.
    package init(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        persona: Persona = .standard,
        configure: (@Sendable (inout Target) -> Void)? = nil,
        demand: @escaping @Sendable (inout ProfileParameters) -> Void = { _ in },
        change: (@Sendable (inout Hooks) -> Void)? = nil
    ) {
        self.id = trips.rawValue + (variant.map { "#" + $0 } ?? "")
        self.trips = trips
        self.also = also
        self.title = title
        self.persona = persona
        self.configure = configure ?? { _ in }
        self.demand = demand
        self.change = change ?? { _ in }
        isOfThePlatformAlone = configure == nil && change == nil
    }

    package var description: String { id }
}
