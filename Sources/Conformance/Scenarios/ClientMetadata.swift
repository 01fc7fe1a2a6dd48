package import JSONTree

/// The client of a scenario.
package enum ScenarioClient: Sendable, Hashable, Codable {
    /// That of the configuration.
    case configured
    /// One that the scenario registers for itself and deletes again.
    case ephemeral(ClientMetadata)
    /// One whose identifier is the address of its metadata, which this machine serves.
    case described(ClientDocument)
}

/// The metadata with which a scenario registers its own client (RFC 7591 section 2, OpenID Connect Registration section 2).
///
/// Name, redirect URI, response type, grant type, scope and authentication method are there without being said.
package struct ClientMetadata: Sendable, Hashable, Codable {
    package enum Value: Sendable, Hashable, Codable {
        case text(String)
        case texts([String])
        case flag(Bool)
        case number(Int)
        /// The redirect URI of the target with something appended, as the only element of a list.
        case redirectURI(suffix: String)
        /// The redirect URI of the target with a change, as the only element of a list; left out where it cannot be changed so.
        case changedRedirectURI(RedirectURIVariation)
        /// Both: as it is, and with a change.
        case bothRedirectURIs(RedirectURIVariation)
        /// The address of a document that this machine serves.
        case served(ClientDocument)
        /// The addresses of several.
        case allServed([ClientDocument])

        /// The documents that the provider should fetch.
        var documents: [ClientDocument] {
            switch self {
            case .served(let document): [document]
            case .allServed(let documents): documents
            case .text, .texts, .flag, .number, .redirectURI, .changedRedirectURI, .bothRedirectURIs: []
            }
        }
    }

    package struct Member: Sendable, Hashable, Codable {
        package var name: String
        /// `nil` leaves a member out that is otherwise present.
        package var value: Value?

        init(_ name: String, _ value: Value?) {
            self.name = name
            self.value = value
        }
    }

    /// A value that the discovery document must list, so that requesting it makes sense.
    package struct Advertised: Sendable, Hashable, Codable {
        var member: String
        /// `nil`: it is enough that the member is there.
        package var value: String?

        init(_ member: String, _ value: String? = nil) {
            self.member = member
            self.value = value
        }
    }

    /// Members that are requested together, and only from a provider that advertises them.
    package struct OptionalMembers: Sendable, Hashable, Codable {
        package var members: [Member]
        var advertised: [Advertised]

        init(_ members: [Member], advertised: [Advertised]) {
            self.members = members
            self.advertised = advertised
        }
    }

    /// A key pair that is made for the run; its public half is registered by value, or served where `jwks_uri` is.
    package enum Key: String, Sendable, Hashable, Codable {
        case rsaEncryption
        case ecEncryption
        case rsaSigning
    }

    /// Requested whatever the provider advertises.
    package var members: [Member] = []
    /// At least one must be advertised, when there are any; else no client is registered.
    var wishes: [OptionalMembers] = []
    package var keys: [Key] = []
    /// Whether the client's registration is read once (RFC 7592 section 2.1).
    package var isRead = false
    /// Whether the initial access token of the configuration is left out, which must exist then.
    package var leavesOutInitialToken = false
    /// A metadata member whose `false` makes such a client pointless: one whose default is `true`.
    var unlessDenied: String?

    init(members: [Member] = [], wishes: [OptionalMembers] = []) {
        self.members = members
        self.wishes = wishes
    }

    /// The wishes that a provider with this metadata advertises.
    package func granted(by metadata: JSONObject) -> [OptionalMembers] {
        wishes.filter { $0.advertised.allSatisfy { Self.lists($0, metadata) } }
    }

    /// Why no such client is registered at a provider with this metadata; `nil` when one is.
    package func reasonItIsRedundant(at metadata: JSONObject) -> String? {
        if let unlessDenied, metadata[unlessDenied] == false {
            return "the discovery document says \(unlessDenied): false"
        }
        guard let wish = wishes.first, granted(by: metadata).isEmpty else { return nil }
        let missing = wish.advertised.first { !Self.lists($0, metadata) }
        return missing.map { "the provider does not list \($0.value ?? "anything") in \($0.member)" }
    }

    /// Everything that the provider is to fetch.
    package var served: [ClientDocument] {
        (members + wishes.flatMap(\.members)).flatMap { $0.value?.documents ?? [] }
    }

    private static func lists(_ wanted: Advertised, _ metadata: JSONObject) -> Bool {
        guard let value = wanted.value else { return metadata.has(wanted.member) }
        return metadata[wanted.member]?.arrayValue?.contains { $0.stringValue == value } ?? false
    }
}
