/// The faults that mirror `Catalogue/Registration`.
extension Fault {
    package static let registration: [Fault] = []
}
