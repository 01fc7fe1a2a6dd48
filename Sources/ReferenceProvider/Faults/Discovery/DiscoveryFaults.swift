/// The faults that mirror `Catalogue/Discovery`.
extension Fault {
    package static let discovery: [Fault] = []
}
