/// The faults that mirror `Catalogue/Revocation`.
extension Fault {
    package static let revocation: [Fault] = revocationRequests + revocationEffects
}
