/// The faults that mirror `Catalogue/Transport`.
extension Fault {
    package static let transport: [Fault] = []
}
