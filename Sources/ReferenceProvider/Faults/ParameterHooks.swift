package import Conformance

/// Hooks for reading client and redirect URI from an authorization request; by default, repeated ones are rejected.
package struct ParameterHooks: Sendable {
    /// The value of a parameter; `nil` if it is missing or repeated.
    @Hook
    package var one: @Sendable (String, [Field]) -> String? = onlyOne
    /// The redirect URI compared with the registered ones, and the one that receives the response.
    @Hook
    var redirectURI: @Sendable ([Field], RegisteredClient) -> (checked: String, used: String)? = {
        parameters,
        _ in
        onlyOne("redirect_uri", parameters).map { (checked: $0, used: $0) }
    }

    /// The response mode; the last argument is the decision of the specifications.
    @Hook(joining: HookCombination.decisions)
    var mode: @Sendable (AuthorizationRequestParameters, AuthorizationResponse.Mode) -> AuthorizationResponse.Mode =
        { $1 }
    /// Whether the code_challenge of a request is stored with its code.
    @Hook
    var keepsChallenge: @Sendable (AuthorizationRequestParameters) -> Bool = { _ in true }
    /// The value of a new code.
    @Hook
    var makeCode: @Sendable () -> String = { Store.random() }
    /// Whether requests by POST are accepted (Core section 3.1.2.1).
    @Hook
    package var takesPOST = true
    /// Whether two concurrent requests can redeem one code, simulated for codes of authorization requests by POST.
    @Hook
    var racesOverCodes = false
    /// Whether a request by POST is kept during sign-in.
    @Hook
    var keepsPOST = true

    init() {}

    @Sendable
    private static func onlyOne(_ name: String, _ parameters: [Field]) -> String? {
        let values = parameters.filter { $0.name == name }
        return values.count == 1 ? values.first?.value : nil
    }
}
