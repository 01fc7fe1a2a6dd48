/// The faults that mirror `Catalogue/Introspection`.
extension Fault {
    static let introspection: [Fault] = introspectionAccess + introspectionAnswers
}
