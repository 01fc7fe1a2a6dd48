/// The program's name and version, as reports and requests state them.
package enum Tool {
    package static let name = "oidc-preflight"
    package static let version = "0.1.0"
    package static let nameAndVersion = "\(name) \(version)"
    /// What requests are signed with.
    package static let userAgent = "\(name)/\(version)"
    /// Where a defect of this program is told.
    package static let reportAddress = "\(Publication.address)/issues/new"
}
