/// The faults that mirror `Catalogue/Introspection`.
extension Fault {
    package static let introspection: [Fault] = introspectionAccess + introspectionAnswers
}
