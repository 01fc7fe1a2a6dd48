/// Every fault, stage by stage in the catalogue's order.
extension Fault {
    package static let all: [Fault] =
        discovery + keys + transport + authorization + token + idToken + userInfo + revocation + introspection
        + registration + logout + platform
}
