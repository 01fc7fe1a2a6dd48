import Conformance

/// Faults in the life of authorization codes.
extension Fault {
    static let codes: [Fault] = [
        .provider("token.code.is-single-use", "a code opens twice") { seams in
            seams.tokenError = { _, error in error?.text == "it was used before" ? nil : error }
        },
        .provider(
            "token.code.is-single-use",
            variant: "without-verifier",
            "a used code opens without its verifier"
        ) { seams in
            seams.letCodePass { parameters, text in
                text == "it was used before" && parameters["code_verifier"] == nil
            }
        },
        .provider("token.code.is-single-use", variant: "at-once", "two requests at once redeem one code") {
            $0.parameters.racesOverCodes = true
        },
        .provider("token.code.stays-used", "a used code is forgotten after ten seconds") { seams in
            seams.codeMemory = 10
        },
        .provider("token.code.reuse-revokes-tokens", "a code that comes again leaves its tokens alone") { seams in
            seams.revokesTokensOnReuse = false
        },
        .provider("token.code.is-bound-to-redirect-uri", "any redirect_uri will do") { seams in
            seams.letCodePass { parameters, text in
                text == "redirect_uri is not that of the authorization request" && parameters["redirect_uri"] != nil
            }
        },
        .provider("token.code.needs-redirect-uri", "redirect_uri may be left out") { seams in
            seams.letCodePass { parameters, text in
                text == "redirect_uri is not that of the authorization request" && parameters["redirect_uri"] == nil
            }
        },
        .provider("token.code.is-bound-to-client", "any client may redeem a code") { seams in
            seams.letCodePass { _, text in text == "it belongs to another client" }
        },
        .provider("token.code.refusal-is-invalid-grant", "a code that was issued is refused as invalid_request") {
            seams in
            seams.tokenError = { parameters, error in
                guard parameters["grant_type"] == "authorization_code", let error, error.code == "invalid_grant",
                    error.text != "it was never issued, or was revoked"
                else { return error }
                return "invalid_request"
            }
        },
        .provider(
            "token.code.refusal-is-invalid-grant",
            variant: "invalid-client",
            "a code with another redirect_uri is refused as invalid_client"
        ) { seams in
            seams.tokenError = { _, error in
                error?.text == "redirect_uri is not that of the authorization request" ? "invalid_client" : error
            }
        },
    ]
}

extension Seams {
    /// Redeems a code although the specifications say that it must be refused.
    ///
    /// - Parameter passes: Whether it does so; the last argument is the reason of the refusal.
    mutating func letCodePass(_ passes: @escaping @Sendable (TokenRequestParameters, String) -> Bool) {
        tokenError = { parameters, error in
            guard parameters["grant_type"] == "authorization_code", let error, passes(parameters, error.text ?? "")
            else { return error }
            return nil
        }
    }
}
