import JSONTree

/// Changes on top of what a persona does its own way: the habit comes first, the fault after it.
extension Seams {
    mutating func afterHabits(inDiscovery change: @escaping @Sendable (inout JSONObject) -> Void) {
        let habit = discovery
        discovery = { document, issuer in
            habit(&document, issuer)
            change(&document)
        }
    }

    mutating func afterHabits(inClaims change: @escaping @Sendable (inout JSONObject) -> Void) {
        let habit = idTokenClaims
        idTokenClaims = { claims, place in
            habit(&claims, place)
            change(&claims)
        }
    }

    /// Refuses requests beyond those that are refused already.
    mutating func alsoRefuse(
        _ error: OAuthError,
        _ isRefused: @escaping @Sendable (AuthorizationRequestParameters) -> Bool
    ) {
        let habit = authorizationError
        authorizationError = { request, known in habit(request, known) ?? (isRefused(request) ? error : nil) }
    }
}
