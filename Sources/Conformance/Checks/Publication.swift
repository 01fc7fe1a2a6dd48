/// Where the project and its documentation are published.
package enum Publication {
    /// The repository's address, without a slash at the end.
    package static let address = "https://github.com/oidc-preflight/oidc-preflight"

    /// The https address of a file of the repository, for readers.
    ///
    /// - Parameter path: The file's path from the root of the repository, with `#` and an anchor where one is meant.
    package static func link(to path: String) -> String { "\(address)/blob/main/\(path)" }

    /// The https address of a file of the repository, as programs read it: the file and nothing around it.
    package static func content(of path: String) -> String { "\(address)/raw/main/\(path)" }
}

extension CheckID {
    /// The check's row on the page of its stage, from the root of the repository: the file, `#` and the identifier.
    ///
    /// It stays the same while the check exists. An identifier without a stage yields the catalogue's index.
    package var page: String {
        guard let stage else { return "Documentation/Catalogue/README.md" }
        return "Documentation/Catalogue/\(stage.rawValue).md#\(rawValue)"
    }

    /// The https address of that row: what a finding links to.
    package var link: String { Publication.link(to: page) }
}
