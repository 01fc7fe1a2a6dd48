package import Conformance
package import JSONTree

/// The places at which a provider's own ways can be changed from outside: token answers that are forms, an API of its own.
package struct DialectSeams: Sendable {
    /// The format that a token request asks for, as the provider understands it.
    package var accept: @Sendable (String?) -> String? = { $0 }
    /// A token answer before it is written as a form.
    package var tokenForm: @Sendable (inout [Field]) -> Void = { _ in }
    /// What the API tells of a person.
    package var userAPI: @Sendable (inout JSONObject, PersonAtClient) -> Void = { _, _ in }
    /// What the API tells of a person's e-mail addresses.
    package var userEmails: @Sendable (inout JSON) -> Void = { _ in }
    /// Whether the API tells of e-mail addresses at all.
    package var tellsEmails = true

    package init() {}
}
