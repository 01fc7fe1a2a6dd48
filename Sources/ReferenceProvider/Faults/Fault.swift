package import Conformance

/// One thing that a provider can do wrong, and the check that must see it.
///
/// A fault changes the provider's ``Seams``, or the configuration that the provider is judged with; the provider itself
/// knows of no faults. The matrix runs every fault and demands that exactly `trips` and `also` fail.
package struct Fault: Sendable, Identifiable, CustomStringConvertible {
    /// The check's identifier, with `#variant` when a check has several faults.
    package let id: String
    package let trips: CheckID
    /// Other checks that cannot help failing with it.
    package let also: [CheckID]
    /// What is wrong, as a person would say it.
    package let title: String
    package let persona: Persona
    package let change: @Sendable (inout Seams) -> Void
    package let configure: @Sendable (inout Target) -> Void
    package let demand: @Sendable (inout ProfileParameters) -> Void
    /// Whether neither the provider nor the configuration is another: the platform alone demands more.
    package let isOfThePlatformAlone: Bool

    /// - Parameters:
    ///   - trips: The check that must fail.
    ///   - variant: Tells several faults of one check apart.
    ///   - title: What is wrong.
    ///   - also: Other checks that must fail too.
    ///   - persona: The provider that has the fault.
    ///   - configure: A change to the configuration, for checks that judge it.
    ///   - demand: A change to what the relying platform asks for, which the provider does not give.
    ///   - change: A change to the provider's seams.
    package init(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        persona: Persona = .standard,
        configure: (@Sendable (inout Target) -> Void)? = nil,
        demand: @escaping @Sendable (inout ProfileParameters) -> Void = { _ in },
        change: (@Sendable (inout Seams) -> Void)? = nil
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
