/// Where the project and its documentation are published.
package enum Publication {
    /// The repository's address, without a slash at the end.
    package static let address = "https://github.com/oidc-preflight/oidc-preflight"

    /// The https address of a file of the repository, as people read it.
    ///
    /// - Parameter path: The file's path from the root of the repository, with `#` and an anchor where one is meant.
    package static func link(to path: String) -> String { "\(address)/blob/main/\(path)" }

    /// The https address of a file of the repository, as programs read it: the file and nothing around it.
    package static func content(of path: String) -> String { "\(address)/raw/main/\(path)" }
}

extension CheckID {
    /// The file that explains the check, from the root of the repository; its name never changes while the check exists.
    package var page: String { "Documentation/Catalogue/checks/\(rawValue).md" }

    /// The https address of that file: what a finding links to.
    package var link: String { Publication.link(to: page) }
}
