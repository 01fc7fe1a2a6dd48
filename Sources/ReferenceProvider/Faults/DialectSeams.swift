package import Conformance
package import JSONTree

/// Hooks for a provider's deviations from the specifications: form-encoded token responses, its own user API.
package struct DialectSeams: Sendable {
    /// The response format that a token request accepts.
    @Seam
    package var accept: @Sendable (String?) -> String? = { $0 }
    /// A token response before it is form-encoded.
    @Seam(joining: Joined.edits)
    package var tokenForm: @Sendable (inout [Field]) -> Void = { _ in }
    /// The user object of the API.
    @Seam(joining: Joined.edits)
    package var userAPI: @Sendable (inout JSONObject, PersonAtClient) -> Void = { _, _ in }
    /// The API's list of a user's email addresses.
    @Seam(joining: Joined.edits)
    package var userEmails: @Sendable (inout JSON) -> Void = { _ in }
    /// Whether the API returns email addresses.
    @Seam
    package var tellsEmails = true

    package init() {}
}
