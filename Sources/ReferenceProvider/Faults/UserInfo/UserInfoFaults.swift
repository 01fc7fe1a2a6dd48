/// The faults that mirror `Catalogue/UserInfo`.
extension Fault {
    package static let userInfo: [Fault] = []
}
