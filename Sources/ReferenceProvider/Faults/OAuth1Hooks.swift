package import Conformance
import JSONTree

/// Hooks for the OAuth 1.0 endpoints (RFC 5849).
package struct OAuth1Hooks: Sendable {
    /// Whether a signature is accepted; the last argument is whether it is correct.
    @Hook(joining: HookCombination.decisions)
    var acceptsSignature: @Sendable (OAuth1Place, Bool) -> Bool = { $1 }
    /// Whether replayed requests are rejected.
    @Hook
    var remembersRequests = true
    /// Whether a callback is accepted.
    ///
    /// Arguments: requested, registered.
    @Hook
    var acceptsCallback: @Sendable (String, [String]) -> Bool = { asked, registered in
        registered.contains(asked)
    }
    /// The parameters of temporary credentials.
    @Hook(joining: HookCombination.edits)
    package var temporaryCredentials: @Sendable (inout [Field]) -> Void = { _ in }
    /// The error shown for the parameters of the authorization page; `nil` to continue.
    @Hook
    var authorizationProblem: @Sendable ([Field]) -> String? = { _ in nil }
    @Hook
    var makeVerifier: @Sendable () -> String = { Store.random() }
    /// The parameters of the callback.
    @Hook(joining: HookCombination.edits)
    package var callback: @Sendable (inout [Field]) -> Void = { _ in }
    /// Whether a verification code is accepted; the argument is whether it is correct.
    @Hook
    var acceptsVerifier: @Sendable (Bool) -> Bool = { $0 }
    /// Whether temporary credentials can be used only once.
    @Hook
    var usesUpTemporaryCredentials = true
    /// The parameters of token credentials.
    @Hook(joining: HookCombination.edits)
    package var tokenCredentials: @Sendable (inout [Field]) -> Void = { _ in }
    /// The user object of the API.
    @Hook(joining: HookCombination.edits)
    var user: @Sendable (inout JSONObject) -> Void = { _ in }
    /// The final status of a rejection.
    @Hook
    var refusalStatus: @Sendable (Int) -> Int = { $0 }
    /// The media type of credentials.
    @Hook
    var mediaType = FormEncoding.mediaType

    init() {}
}

/// The endpoint of a signed request.
package enum OAuth1Place: Sendable {
    case requestToken
    case accessToken
    case user
}
