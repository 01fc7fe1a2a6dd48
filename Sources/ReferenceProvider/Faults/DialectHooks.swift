import Conformance
import JSONTree

/// Hooks for a provider's deviations from the specifications: form-encoded token responses, its own user API.
package struct DialectHooks: Sendable {
    /// The response format that a token request accepts.
    @Hook
    var accept: @Sendable (String?) -> String? = { $0 }
    /// A token response before it is form-encoded.
    @Hook(joining: HookCombination.edits)
    var tokenForm: @Sendable (inout [Field]) -> Void = { _ in }
    /// The user object of the API.
    @Hook(joining: HookCombination.edits)
    var userAPI: @Sendable (inout JSONObject, ClientUser) -> Void = { _, _ in }
    /// The API's list of a user's email addresses.
    @Hook(joining: HookCombination.edits)
    var userEmails: @Sendable (inout JSON) -> Void = { _ in }
    /// Whether the API returns email addresses.
    @Hook
    var reportsEmails = true

    init() {}
}
