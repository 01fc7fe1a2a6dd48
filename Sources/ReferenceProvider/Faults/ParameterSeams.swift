package import Conformance

/// How client and redirect URI are read from an authorization request; untouched, each counts only when it comes once.
package struct ParameterSeams: Sendable {
    /// The value of a parameter; `nil` when it is missing or comes more than once.
    @Seam
    package var one: @Sendable (String, [Field]) -> String? = onlyOne
    /// The redirect URI that is compared with the registered ones, and the one that is answered at.
    @Seam
    package var redirectURI: @Sendable ([Field], RegisteredClient) -> (checked: String, used: String)? = {
        parameters,
        _ in
        onlyOne("redirect_uri", parameters).map { (checked: $0, used: $0) }
    }

    /// How the response travels; the last argument is what the specifications say.
    @Seam(joining: Joined.decisions)
    package var mode:
        @Sendable (AuthorizationRequestParameters, AuthorizationResponse.Mode) -> AuthorizationResponse.Mode =
            { $1 }
    /// Whether the code_challenge of a request is kept with its code.
    @Seam
    package var keepsChallenge: @Sendable (AuthorizationRequestParameters) -> Bool = { _ in true }
    /// What codes are made of.
    @Seam
    package var makeCode: @Sendable () -> String = { Store.random() }
    /// Whether requests by POST are taken (Core section 3.1.2.1).
    @Seam
    package var takesPOST = true
    /// Whether two requests at once redeem one code; requests reach this provider in turn, so that it is those of authorization requests by POST.
    @Seam
    package var racesOverCodes = false
    /// Whether a request by POST is kept until the user has signed in.
    @Seam
    package var keepsPOST = true

    package init() {}

    @Sendable
    private static func onlyOne(_ name: String, _ parameters: [Field]) -> String? {
        let values = parameters.filter { $0.name == name }
        return values.count == 1 ? values.first?.value : nil
    }
}
