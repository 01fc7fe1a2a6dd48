import Conformance

/// Faults in the life cycle of authorization codes.
extension Fault {
    static let codes: [Fault] = [
        .provider("token.code.is-single-use", "a code can be redeemed twice") { hooks in
            hooks.tokenError = { _, error in error?.text == "it was used before" ? nil : error }
        },
        .provider(
            "token.code.is-single-use",
            variant: "without-verifier",
            "a used code can be redeemed again without code_verifier"
        ) { hooks in
            hooks.overrideRedemption { parameters, text in
                text == "it was used before" && parameters["code_verifier"] == nil
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
            hooks.overrideRedemption { parameters, text in
                text == "redirect_uri is not that of the authorization request" && parameters["redirect_uri"] != nil
            }
        },
        .provider("token.code.needs-redirect-uri", "a code is redeemed without redirect_uri") { hooks in
            hooks.overrideRedemption { parameters, text in
                text == "redirect_uri is not that of the authorization request" && parameters["redirect_uri"] == nil
            }
        },
        .provider("token.code.is-bound-to-client", "another client can redeem a code") { hooks in
            hooks.overrideRedemption { _, text in text == "it belongs to another client" }
        },
        .provider("token.code.refusal-is-invalid-grant", "an issued code is rejected with invalid_request") {
            hooks in
            hooks.tokenError = { parameters, error in
                guard parameters["grant_type"] == "authorization_code", let error, error.code == "invalid_grant",
                    error.text != "it was never issued, or was revoked"
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
                error?.text == "redirect_uri is not that of the authorization request" ? "invalid_client" : error
            }
        },
    ]
}

extension Hooks {
    /// Redeems a code that the specifications require the provider to reject.
    ///
    /// - Parameter passes: Whether it is redeemed; the last argument is the reason for the rejection.
    mutating func overrideRedemption(_ passes: @escaping @Sendable (TokenRequestParameters, String) -> Bool) {
        tokenError = { parameters, error in
            guard parameters["grant_type"] == "authorization_code", let error, passes(parameters, error.text ?? "")
            else { return error }
            return nil
        }
    }
}
