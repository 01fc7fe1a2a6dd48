package import Conformance

/// How client and redirect URI are read from an authorization request; untouched, each counts only when it comes once.
package struct ParameterSeams: Sendable {
    /// The value of a parameter; `nil` when it is missing or comes more than once.
    package var one: @Sendable (String, [Field]) -> String? = { name, parameters in
        let values = parameters.filter { $0.name == name }
        return values.count == 1 ? values.first?.value : nil
    }
    /// The redirect URI that is compared with the registered ones, and the one that is answered at.
    package var redirectURI: @Sendable ([Field], RegisteredClient) -> (checked: String, used: String)?

    /// How the response travels; the last argument is what the specifications say.
    package var mode:
        @Sendable (AuthorizationRequestParameters, AuthorizationResponse.Mode) -> AuthorizationResponse.Mode =
            { $1 }
    /// What codes are made of.
    package var makeCode: @Sendable () -> String = { Store.random() }
    /// Whether requests by POST are taken (Core section 3.1.2.1).
    package var takesPOST = true

    package init() {
        let one = one
        redirectURI = { parameters, _ in one("redirect_uri", parameters).map { (checked: $0, used: $0) } }
    }
}
