/// A value of a file to be written; every format has these kinds.
indirect enum Node: Sendable, Hashable {
    case text(String)
    case flag(Bool)
    case list([Node])
    case map([Member])
    /// A value that is only named, never written: the client secret, or a value that only the platform's owner knows.
    case reference(Reference)

    struct Member: Sendable, Hashable {
        var name: String
        var value: Node
    }

    static func texts(_ texts: [String]) -> Node { .list(texts.map(Node.text)) }

    /// A map in the given order.
    static func members(_ members: KeyValuePairs<String, Node>) -> Node {
        .map(members.map { Member(name: $0.key, value: $0.value) })
    }
}

/// The name of a value outside the file.
struct Reference: Sendable, Hashable {
    /// The environment variable, where a format has no references of its own.
    var environment: String
    /// The Terraform variable.
    var variable: String
    var description: String
    /// Whether Terraform keeps it out of its output.
    var isSecret: Bool

    static let clientSecret = Reference(
        environment: "OIDC_CLIENT_SECRET",
        variable: "oidc_client_secret",
        description: "The secret of the client that is registered at the OpenID Provider.",
        isSecret: true
    )

    static let userPool = Reference(
        environment: "USER_POOL_ID",
        variable: "user_pool_id",
        description: "The user pool whose users sign in with the OpenID Provider.",
        isSecret: false
    )

    /// The placeholder of the value in a format without references.
    var placeholder: String { "${\(environment)}" }
}
