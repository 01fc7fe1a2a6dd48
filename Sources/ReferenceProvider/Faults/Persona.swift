/// A correct provider of one kind; every persona passes every check.
package enum Persona: String, Sendable, CaseIterable, CustomStringConvertible {
    /// Code, implicit and hybrid; confidential client; RS256; all members stated.
    case standard
    /// Only the members that Discovery requires; defaults everywhere.
    case minimal
    /// A public client with PKCE and no secret.
    case publicClient = "public-client"
    /// No token endpoint and no code: `id_token` only.
    case implicitOnly = "implicit-only"
    /// Code flow only.
    case codeOnly = "code-only"
    /// Signs with ES256 beside RS256 keys, publishes Ed25519 too.
    case manyKeys = "many-keys"
    /// The issuer has a path and a terminating slash.
    case pathIssuer = "path-issuer"

    package var description: String { rawValue }
}
