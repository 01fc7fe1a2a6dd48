import JSONTree

/// Changes on top of a persona's own behaviour, which is applied first.
extension Hooks {
    mutating func afterPersonaChanges(inDiscovery change: @escaping @Sendable (inout JSONObject) -> Void) {
        let habit = discovery
        discovery = { document, issuer in
            habit(&document, issuer)
            change(&document)
        }
    }

    mutating func afterPersonaChanges(inClaims change: @escaping @Sendable (inout JSONObject) -> Void) {
        let habit = idTokenClaims
        idTokenClaims = { claims, place in
            habit(&claims, place)
            change(&claims)
        }
    }

    /// Rejects requests beyond those that are already rejected.
    mutating func alsoRefuse(
        _ error: OAuthError,
        _ isRefused: @escaping @Sendable (AuthorizationRequestParameters) -> Bool
    ) {
        let habit = authorizationError
        authorizationError = { request, known in habit(request, known) ?? (isRefused(request) ? error : nil) }
    }
}
