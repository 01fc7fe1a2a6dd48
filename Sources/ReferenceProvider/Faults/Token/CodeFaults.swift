import Conformance

/// Faults in the life cycle of authorization codes.
extension Fault {
    static let codes: [Fault] = [
        .provider("token.code.is-single-use", "a code can be redeemed twice") { hooks in
            hooks.tokenError = { _, error in error?.rejection == .codeWasUsed ? nil : error }
        },
        .provider(
            "token.code.is-single-use",
            variant: "without-verifier",
            "a used code can be redeemed again without code_verifier"
        ) { hooks in
            hooks.overrideRedemption { parameters, rejection in
                rejection == .codeWasUsed && parameters["code_verifier"] == nil
            }
        },
        .provider("token.code.is-single-use", variant: "at-once", "two concurrent requests can redeem one code") {
            $0.parameters.racesOverCodes = true
        },
        .provider("token.code.stays-used", "a used code can be redeemed again after ten seconds") { hooks in
            hooks.codeMemory = 10
        },
        .provider("token.code.reuse-revokes-tokens", "the reuse of a code does not revoke its tokens") { hooks in
            hooks.revokesTokensOnReuse = false
        },
        .provider("token.code.is-bound-to-redirect-uri", "a code is redeemed with a wrong redirect_uri") { hooks in
            hooks.overrideRedemption { parameters, rejection in
                rejection == .otherRedirectURI && parameters["redirect_uri"] != nil
            }
        },
        .provider("token.code.needs-redirect-uri", "a code is redeemed without redirect_uri") { hooks in
            hooks.overrideRedemption { parameters, rejection in
                rejection == .otherRedirectURI && parameters["redirect_uri"] == nil
            }
        },
        .provider("token.code.is-bound-to-client", "another client can redeem a code") { hooks in
            hooks.overrideRedemption { _, rejection in rejection == .otherClient }
        },
        .provider("token.code.refusal-is-invalid-grant", "an issued code is rejected with invalid_request") {
            hooks in
            hooks.tokenError = { parameters, error in
                guard parameters["grant_type"] == "authorization_code", let error, error.code == "invalid_grant",
                    error.rejection != .unknownGrant
                else { return error }
                return "invalid_request"
            }
        },
        .provider(
            "token.code.refusal-is-invalid-grant",
            variant: "invalid-client",
            "a code with a wrong redirect_uri is rejected with invalid_client"
        ) { hooks in
            hooks.tokenError = { _, error in
                error?.rejection == .otherRedirectURI ? "invalid_client" : error
            }
        },
    ]
}

extension Hooks {
    /// Redeems a code that the specifications require the provider to reject.
    ///
    /// - Parameter passes: Whether it is redeemed; the last argument is the reason for the rejection, if it has a name.
    mutating func overrideRedemption(_ passes: @escaping @Sendable (TokenRequestParameters, RejectionReason?) -> Bool) {
        tokenError = { parameters, error in
            guard parameters["grant_type"] == "authorization_code", let error, passes(parameters, error.rejection)
            else { return error }
            return nil
        }
    }
}
