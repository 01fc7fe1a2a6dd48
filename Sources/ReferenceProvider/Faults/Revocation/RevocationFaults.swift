/// The faults that mirror `Catalogue/Revocation`.
extension Fault {
    static let revocation: [Fault] = revocationRequests + revocationEffects
}
