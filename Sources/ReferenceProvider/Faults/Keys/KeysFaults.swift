/// The faults that mirror `Catalogue/Keys`.
extension Fault {
    package static let keys: [Fault] =
        keySetResponse + keysEverywhere + keyChoice + keyUse + keyMaterial + keyCertificates
}
