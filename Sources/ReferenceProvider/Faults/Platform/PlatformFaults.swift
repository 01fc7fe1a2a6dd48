/// The faults that mirror `Catalogue/Platform`.
extension Fault {
    static let platform: [Fault] =
        firebase + firebaseAccounts + microsoft + yahoo + gitHub + twitter + spa + rules + world
}
