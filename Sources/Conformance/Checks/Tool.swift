/// The program's name and version, as reports and requests state them.
package enum Tool {
    package static let name = "oidc-preflight"
    package static let version = "0.1.0"
    package static let nameAndVersion = "\(name) \(version)"
    /// The `User-Agent` of requests.
    package static let userAgent = "\(name)/\(version)"
    /// Where to report a defect of this program.
    package static let reportAddress = "\(Publication.address)/issues/new"
}
