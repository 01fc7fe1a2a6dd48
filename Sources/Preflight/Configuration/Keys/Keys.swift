internal import Catalogue
internal import Conformance
internal import JOSE
internal import Profiles

/// Every key of `preflight.yaml`.
package enum Keys {
    static let issuer = ConfigurationKey(
        "issuer",
        .text(examples: ["https://idp.example.com"]),
        "The issuer, byte for byte as you will register it. An issuer on the command line overrides it.",
        isRequired: true
    )
    static let profile = ConfigurationKey(
        "profile",
        .oneOrList(.text(pattern: ProfileNames.pattern, examples: ProfileLibrary.builtIn.map(\.name))),
        "The rules of the relying platform: a built-in name, a file, or several of them. --profile overrides it. Default: openid."
    )
    static let client = ConfigurationKey(
        "client",
        .mapping(Client.all),
        "The client registered at the provider. With a redirect_uri it enables the tier unauthenticated."
    )
    static let redirectURI = ConfigurationKey(
        "redirect_uri",
        .text(examples: ["https://my-project.firebaseapp.com/__/auth/handler"]),
        "The redirect URI, exactly as registered at the provider. It is never fetched, so a production address is safe."
    )
    static let otherRedirectURIs = ConfigurationKey(
        "other_redirect_uris",
        .list(.text()),
        "Further registered redirect URIs, which the provider may accept; no check expects a rejection."
    )
    static let endpoints = ConfigurationKey(
        "endpoints",
        .mapping(Endpoints.all),
        "Endpoints that are not in a discovery document, by the name of their metadata member."
    )
    static let scopes = ConfigurationKey(
        "scopes",
        .list(.text(examples: ["openid", "email", "profile", "offline_access"])),
        "The requested scopes, including openid unless the profile uses plain OAuth. Default: [openid]."
    )
    static let customParameters = ConfigurationKey(
        "custom_parameters",
        .pairs(.text()),
        "Parameters that the relying platform adds to the authorization request."
    )
    static let tokenParameters = ConfigurationKey(
        "token_parameters",
        .pairs(.text()),
        "Parameters that the client adds to requests to the token endpoint."
    )
    static let resource = ConfigurationKey(
        "resource",
        .text(examples: ["https://mcp.example.com/mcp"]),
        "The protected resource for which the client requests tokens (RFC 8707): sent with every authorization request, code "
            + "and refresh token."
    )
    static let webFinger = ConfigurationKey(
        "webfinger",
        .text(examples: ["alice@example.com"]),
        "The address of a user for which WebFinger at its domain must name the issuer, as Tailscale requires."
    )
    static let flows = ConfigurationKey(
        "flows",
        .list(ResponseTypes.kind),
        "The response types to sign in with, one sign-in each. With sign_in they enable the tier full."
    )
    static let clients = ConfigurationKey(
        "clients",
        .pairs(keys: ResponseTypes.kind, .mapping(Client.all)),
        "Separate clients for response types that the first is not registered for."
    )
    static let otherClient = ConfigurationKey(
        "other_client",
        .mapping(Client.all),
        "A second client, which tries codes and tokens of the first; the provider must reject them."
    )
    static let registration = ConfigurationKey(
        "registration",
        .mapping(Registration.all),
        "The settings at the relying platform."
    )
    static let dynamicRegistration = ConfigurationKey(
        "dynamic_registration",
        .mapping(DynamicRegistration.all),
        "Temporary clients that the run registers at the registration_endpoint, uses, and deletes."
    )
    static let logout = ConfigurationKey("logout", .mapping(Logout.all), "The logout settings of the client.")
    static let signIn = ConfigurationKey(
        "sign_in",
        .mapping(SignIn.all),
        "A test user of the provider, and the steps for pages that are not detected."
    )
    static let waivers = ConfigurationKey(
        "waivers",
        .list(.mapping(Waiver.all)),
        "Known findings that are accepted, optionally until a date."
    )
    static let limits = ConfigurationKey("limits", .mapping(Limits.all), "The limits of a run.")
    static let network = ConfigurationKey(
        "network",
        .mapping(Network.all),
        "Network settings: connections, timeouts and size limits."
    )

    /// Not among ``all``: a target has no targets.
    static let targets = ConfigurationKey(
        "targets",
        .pairs(.mapping(all)),
        "Several targets by name, such as staging and production. Each may have any key of this file, which overrides the "
            + "common value. ~ removes a common value. --target selects a target."
    )

    /// The keys of the file, which a target may also have.
    package static let all = [
        issuer, profile, client, redirectURI, otherRedirectURIs, endpoints, scopes, customParameters,
        tokenParameters, resource,
        webFinger, flows, clients, otherClient, registration, dynamicRegistration, logout, signIn, waivers, limits,
        network,
    ]

    /// Whether the path is a secret, which a target replaces as a whole.
    static func isSecret(_ path: ArraySlice<String>, in keys: [ConfigurationKey]) -> Bool {
        guard let key = keys.first(where: { $0.name == path.first }) else { return false }
        var rest = path.dropFirst()
        var kind = key.kind
        if case .pairs(_, let value) = kind, !rest.isEmpty {
            kind = value
            rest = rest.dropFirst()
        }
        switch kind {
        case .secret: return rest.isEmpty
        case .mapping(let inner): return isSecret(rest, in: inner)
        default: return false
        }
    }

    enum Secret {
        static let env = ConfigurationKey("env", .text(), "The environment variable that contains it.")
        static let file = ConfigurationKey("file", .text(), "The file that contains it, relative to this one.")
    }

    enum Client {
        static let id = ConfigurationKey("id", .text(), "The client identifier at the provider.", isRequired: true)
        static let secret = ConfigurationKey(
            "secret",
            .secret,
            "The source of the client secret: { env: NAME }, { file: PATH } or ${NAME}; never the text itself."
        )
        static let authentication = ConfigurationKey(
            "authentication",
            .word(ClientAuthentication.allCases.map(\.rawValue)),
            "How the client authenticates at the token endpoint. Default: client_secret_basic with a secret, "
                + "private_key_jwt with a key, else none."
        )
        static let privateKey = ConfigurationKey(
            "private_key",
            .secret,
            "The source of the private key that signs client assertions and request objects, as PEM or JWK: { file: PATH } or "
                + "{ env: NAME }."
        )
        static let requestObjectAlgorithm = ConfigurationKey(
            "request_object_signing_alg",
            .word(JWSAlgorithm.allCases.map(\.rawValue)),
            "The algorithm registered for request objects. Every authorization request is then sent as a signed request object."
        )
        static let pushedRequests = ConfigurationKey(
            "require_pushed_authorization_requests",
            .boolean,
            "true: the client is registered to push its requests, so all of them are pushed. Default: as the discovery document states."
        )
        static let decryptionKey = ConfigurationKey(
            "decryption_key",
            .secret,
            "The source of the private key that decrypts ID Tokens and UserInfo, as PEM or JWK: { file: PATH } or { env: NAME }."
        )
        static let signingAlgorithm = ConfigurationKey(
            "token_endpoint_auth_signing_alg",
            .word(JWSAlgorithm.allCases.map(\.rawValue)),
            "The algorithm for signing client assertions. Default: HS256, or the algorithm of the key."
        )
        static let assertionAudience = ConfigurationKey(
            "assertion_audience",
            .word(AssertionAudience.allCases.map(\.rawValue)),
            "The audience of client assertions. Default: that of the profile, else token_endpoint."
        )
        static let idTokenAlgorithm = ConfigurationKey(
            "id_token_signed_response_alg",
            .text(examples: ["RS256", "ES256", "PS256", "EdDSA"]),
            "The algorithm registered for ID Tokens. Default: RS256."
        )
        static let idTokenEncryption = ConfigurationKey(
            "id_token_encrypted_response_alg",
            .text(examples: ["RSA-OAEP-256", "ECDH-ES"]),
            "The algorithm registered for encrypting ID Tokens; decryption_key decrypts them."
        )
        static let userInfoAlgorithm = ConfigurationKey(
            "userinfo_signed_response_alg",
            .text(examples: ["RS256", "ES256"]),
            "The algorithm registered for UserInfo, whose response is then a signed JWT. Default: plain JSON."
        )
        static let dpop = ConfigurationKey(
            "dpop_bound_access_tokens",
            .boolean,
            "true: the client is registered for DPoP, so it sends a DPoP proof with every token request and every use of a token."
        )
        static let pkce = ConfigurationKey(
            "pkce",
            .boolean,
            "false: requests of this client have no code_challenge. Default: true, unless the platform avoids PKCE."
        )
        static let all = [
            id, secret, authentication, privateKey, signingAlgorithm, assertionAudience, requestObjectAlgorithm,
            pushedRequests, idTokenAlgorithm, idTokenEncryption, userInfoAlgorithm, decryptionKey, dpop, pkce,
        ]
    }

    enum Endpoints {
        static let all = KnownAddress.members.map { member in
            ConfigurationKey(member, .text(), "The absolute URL of \(member).")
        }
    }

    enum Registration {
        static let providerID = ConfigurationKey(
            "provider_id",
            .text(examples: ["oidc.my-provider"]),
            "The platform's name for the provider."
        )
        static let responseTypes = ConfigurationKey(
            "response_types",
            .list(.text(examples: ["code", "id_token"])),
            "The response types enabled at the platform."
        )
        static let all = [providerID, responseTypes]
    }

    enum DynamicRegistration {
        static let enabled = ConfigurationKey(
            "enabled",
            .boolean,
            "true: the run registers clients and deletes them again. This changes the provider's state.",
            isRequired: true
        )
        static let initialAccessToken = ConfigurationKey(
            "initial_access_token",
            .secret,
            "The initial access token, if registration is not open: { env: NAME }, { file: PATH } or ${NAME}."
        )
        static let documentListener = ConfigurationKey(
            "document_listener",
            .text(examples: ["127.0.0.1:8766"]),
            "The local HOST:PORT that serves documents of registered clients to the provider."
        )
        static let documentsAt = ConfigurationKey(
            "documents_at",
            .text(examples: ["https://tunnel.example.com"]),
            "The address at which the provider reaches document_listener. Default: its HOST:PORT, over http."
        )
        static let all = [enabled, initialAccessToken, documentListener, documentsAt]
    }

    enum Logout {
        static let postLogoutRedirectURI = ConfigurationKey(
            "post_logout_redirect_uri",
            .text(examples: ["https://app.example.com/signed-out"]),
            "The redirect URI after logout, exactly as registered; never fetched. Adds two sign-ins."
        )
        static let backChannelListener = ConfigurationKey(
            "back_channel_listener",
            .text(examples: ["127.0.0.1:8765"]),
            "The local HOST:PORT that receives requests to the client's backchannel_logout_uri."
        )
        static let all = [postLogoutRedirectURI, backChannelListener]
    }

    enum Waiver {
        static let check = ConfigurationKey(
            "check",
            .word(Catalogue.all.map(\.id.rawValue), others: CheckID.formerNames),
            "The check whose findings are accepted.",
            isRequired: true
        )
        static let because = ConfigurationKey(
            "because",
            .text(),
            "Why they are accepted; every report includes the reason.",
            isRequired: true
        )
        static let until = ConfigurationKey(
            "until",
            .text(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", examples: ["2027-03-31"]),
            "The last day on which they are accepted (UTC)."
        )
        static let all = [check, because, until]
    }

    enum Limits {
        static let requests = ConfigurationKey(
            "requests",
            .wholeNumber(1...1_000_000_000_000),
            "The maximum number of requests of a run (--max-requests). Default: 1500."
        )
        static let bytes = ConfigurationKey(
            "bytes",
            .wholeNumber(1...1_000_000_000_000),
            "The maximum number of bytes that a run receives (--max-bytes). Default: 100000000."
        )
        static let seconds = ConfigurationKey(
            "seconds",
            .duration,
            "The time limit of a run (--max-time): 300s, or a number of seconds. Default: 300s, plus pauses."
        )
        static let signInsPerMinute = ConfigurationKey(
            "sign_ins_per_minute",
            .wholeNumber(1...600),
            "The maximum number of sign-ins of one user per minute. Default: 8 in the first minute, then 10; initially more if `plan` announces more."
        )
        static let all = [requests, bytes, seconds, signInsPerMinute]
    }

    enum Network {
        static let caFile = ConfigurationKey(
            "ca_file",
            .text(),
            "A PEM file of certificate authorities to trust in addition to the system's (--ca-file), relative to this file."
        )
        static let connectTimeout = ConfigurationKey(
            "connect_timeout",
            .duration,
            "The time limit for a connection: 10s, 1500ms. Default: 10s."
        )
        static let totalTimeout = ConfigurationKey(
            "total_timeout",
            .duration,
            "The time limit for a request and its response. Default: 30s."
        )
        static let pause = ConfigurationKey(
            "pause",
            .duration,
            "The pause between the end of a request and the start of the next, at most 60s; requests are then sequential."
        )
        static let bodyLimit = ConfigurationKey(
            "body_limit",
            .number(from: 0),
            "The maximum size of a response body in bytes, after decompression. Default: 2 MiB."
        )
        static let headerLimit = ConfigurationKey(
            "header_limit",
            .number(from: 0),
            "The maximum size of response headers in bytes. Default: 256 KiB."
        )
        static let resolve = ConfigurationKey(
            "resolve",
            .list(.text(examples: ["idp.example.com:443:192.0.2.7"])),
            "HOST:PORT:ADDRESS entries, as in curl (--resolve)."
        )
        static let connectTo = ConfigurationKey(
            "connect_to",
            .list(.text(examples: ["idp.example.com:443:127.0.0.1:8443"])),
            "HOST:PORT:ADDRESS:PORT entries, as in curl (--connect-to)."
        )
        static let allowedHosts = ConfigurationKey(
            "allowed_hosts",
            .list(.text()),
            "Hosts that may have a private or loopback address even if the issuer does not."
        )
        static let concurrency = ConfigurationKey(
            "concurrency",
            .wholeNumber(1...64),
            "The number of scenarios that run in parallel. Default: 8."
        )
        static let all = [
            caFile, connectTimeout, totalTimeout, pause, bodyLimit, headerLimit, resolve, connectTo, allowedHosts,
            concurrency,
        ]
    }
}

/// The supported response types.
private enum ResponseTypes {
    /// In the usual order of their words; any other order is accepted too.
    static let kind = ConfigurationKind.word(
        ConfigurationReader.knownFlows,
        others: ConfigurationReader.knownFlows.flatMap { orders(of: $0.split(separator: " ").map(String.init)) }
            .filter { !ConfigurationReader.knownFlows.contains($0) }
    )

    private static func orders(of words: [String]) -> [String] {
        guard words.count > 1 else { return words }
        return words.flatMap { first in orders(of: words.filter { $0 != first }).map { "\(first) \($0)" } }
    }
}

/// Names of profiles: built-in names and files, separated by commas.
private enum ProfileNames {
    static let pattern: String = {
        let names = ProfileLibrary.builtIn.map(\.name).joined(separator: "|")
        let one = "[ \\t]*(?:(?:\(names))|[^,]*/[^,]*|[^,]+\\.ya?ml)[ \\t]*"
        return "^\(one)(?:,\(one))*$"
    }()
}
