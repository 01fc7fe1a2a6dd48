package import Conformance
package import JSONTree

/// The places at which a provider's own ways can be changed from outside: token answers that are forms, an API of its own.
package struct DialectSeams: Sendable {
    /// The format that a token request asks for, as the provider understands it.
    @Seam
    package var accept: @Sendable (String?) -> String? = { $0 }
    /// A token answer before it is written as a form.
    @Seam(joining: Joined.edits)
    package var tokenForm: @Sendable (inout [Field]) -> Void = { _ in }
    /// What the API tells of a person.
    @Seam(joining: Joined.edits)
    package var userAPI: @Sendable (inout JSONObject, PersonAtClient) -> Void = { _, _ in }
    /// What the API tells of a person's e-mail addresses.
    @Seam(joining: Joined.edits)
    package var userEmails: @Sendable (inout JSON) -> Void = { _ in }
    /// Whether the API tells of e-mail addresses at all.
    @Seam
    package var tellsEmails = true

    package init() {}
}
