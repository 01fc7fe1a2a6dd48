/// The faults that mirror `Catalogue/Keys`.
extension Fault {
    package static let keys: [Fault] = keySetResponse + keyChoice + keyUse + keyMaterial + keyCertificates
}
