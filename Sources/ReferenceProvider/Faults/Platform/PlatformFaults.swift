/// The faults that mirror `Catalogue/Platform`.
extension Fault {
    package static let platform: [Fault] = firebase + spa + rules + gitHub + twitter
}
