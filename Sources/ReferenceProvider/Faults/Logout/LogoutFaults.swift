/// The faults that mirror `Catalogue/Logout`.
extension Fault {
    package static let logout: [Fault] = []
}
