package import Conformance
import JSONTree

/// Invalid registration requests that a provider should reject.
///
/// A provider may replace a value instead of rejecting the request. A check fails only if the response shows the invalid
/// value as registered.
package enum WrongRegistrationChecks {
    static let redirectURIsAreRequested = Check(
        "registration.missing-redirect-uris.are-refused",
        "The provider rejects a client for the code flow without redirect URIs",
        .should,
        .safety,
        Citation(
            .rfc6749,
            "3.1.2.2",
            "The authorization server SHOULD require all clients to register their redirection endpoint prior to utilizing the authorization endpoint."
        ),
        why: "An attacker can have codes sent to any address if the client has registered none.",
        reads: RegistrationQueries.wrong(.withoutRedirectURIs),
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, answer.redirectURIs.isEmpty else { return nil }
            return answer.accepted(
                "The provider registers a client without redirect URIs.",
                at: "redirect_uris",
                expected: "HTTP status 400 and error invalid_redirect_uri",
                fix: "Reject registrations for redirect-based flows without redirect_uris."
            )
        }
    )

    static let fragmentIsRefused = Check(
        "registration.redirect-uri-with-fragment.is-refused",
        "The provider does not register a redirect URI with a fragment",
        .must,
        .conformance,
        Citation(.rfc6749, "3.1.2", "The endpoint URI MUST NOT include a fragment component."),
        why: "The client cannot separate the registered fragment from the response, and does not find the tokens.",
        reads: RegistrationQueries.wrong(.withFragment),
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, answer.redirectURIs.contains(where: { $0.contains("#") }) else { return nil }
            return answer.accepted(
                "The provider registers a redirect URI with a fragment.",
                at: "redirect_uris",
                expected: "HTTP status 400 and error invalid_redirect_uri",
                fix: "Reject redirect_uris that contain a fragment with the error invalid_redirect_uri."
            )
        }
    )

    static let plainLoginURIIsRefused = Check(
        "registration.http-initiate-login-uri.is-refused",
        "The provider does not register an initiate_login_uri over http",
        .risk,
        .safety,
        Citation(
            .registration,
            "2",
            "URI using the https scheme that a third party can use to initiate a login by the RP"
        ),
        why: "An attacker on the network can change where a sign-in starts.",
        reads: RegistrationQueries.wrong(.withPlainLoginURI),
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, answer.text("initiate_login_uri")?.hasPrefix("http://") == true else { return nil }
            return answer.accepted(
                "The provider registers an initiate_login_uri over http.",
                at: "initiate_login_uri",
                expected: "HTTP status 400 and error invalid_client_metadata",
                fix: "Reject every initiate_login_uri that does not start with https://."
            )
        }
    )

    static let unknownMethodIsRefused = Check(
        "registration.unknown-authentication-method.is-refused",
        "The provider does not register an unknown authentication method",
        .risk,
        .conformance,
        Citation(
            .rfc7591,
            "3.2.2",
            "The value of one of the client metadata fields is invalid and the server has rejected this request."
        ),
        why: "The client cannot authenticate at the token endpoint, or receives tokens without authentication.",
        reads: RegistrationQueries.wrong(.withUnknownMethod),
        passesOn: .refusal,
        finding: { answer, _ in
            let sent = answer.sent["token_endpoint_auth_method"]
            guard answer.isSuccess, answer.object?["token_endpoint_auth_method"] == sent else { return nil }
            return answer.accepted(
                "The provider registers a client with an unknown authentication method.",
                at: "token_endpoint_auth_method",
                expected: "HTTP status 400 and error invalid_client_metadata, or a supported method",
                fix:
                    "Accept only values of token_endpoint_auth_method that are in token_endpoint_auth_methods_supported."
            )
        }
    )

    static let unsignedFrontChannelIsRefused = Check(
        "registration.unsigned-id-token-in-front-channel.is-refused",
        "The provider does not register unsigned ID Tokens for the authorization endpoint",
        .must,
        .safety,
        Citation(
            .registration,
            "2",
            "The value none MUST NOT be used as the ID Token alg value unless the Client uses only Response Types that return no ID Token from the Authorization Endpoint"
        ),
        why: "An attacker can forge an unsigned token and sign in as any user.",
        reads: RegistrationQueries.wrong(.unsignedInFrontChannel, baseline: .ordinaryImplicit),
        passesOn: .refusal,
        exempt: { answer, _ in
            answer.isSuccess && answer.object?.has("response_types") != true
                ? "the response does not contain response_types" : nil
        },
        finding: { answer, _ in
            let types = (answer.object?["response_types"]?.strings ?? []).map { ResponseType($0) }
            guard answer.isSuccess, answer.text("id_token_signed_response_alg") == "none",
                types.contains(where: \.hasIDToken)
            else { return nil }
            return answer.accepted(
                "The provider registers a client for unsigned ID Tokens from the authorization endpoint.",
                at: "id_token_signed_response_alg",
                expected: "HTTP status 400 and error invalid_client_metadata, or a signature algorithm",
                fix: "Reject id_token_signed_response_alg none for every response type with id_token."
            )
        }
    )

    static let unfitAddressesAreRefused = Check(
        "registration.unfit-redirect-uris.are-refused",
        "The provider does not register redirect URIs that are not allowed for the application type",
        .must,
        .safety,
        Citation(
            .registration,
            "2",
            "The Authorization Server MUST verify that all the registered redirect_uris conform to these constraints."
        ),
        why: "An attacker on the network, or a program on the user's machine, receives the tokens.",
        reads: RegistrationQueries.unfitAddresses,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, let sent = answer.sent["redirect_uris"]?.strings,
                sent.contains(where: answer.redirectURIs.contains)
            else { return nil }
            return answer.accepted(
                "The provider registers a redirect URI that is not allowed for the application type.",
                at: "redirect_uris",
                expected: "HTTP status 400 and error invalid_redirect_uri",
                fix: "Reject http and localhost for web applications with implicit or hybrid response types, and http "
                    + "addresses other than loopback for native ones."
            )
        }
    )

    static let initialTokenIsRequired = Check(
        "registration.initial-access-token.is-required",
        "The provider rejects a registration without the initial access token",
        .risk,
        .safety,
        Citation(.rfc7591, "3", "may be an OAuth 2.0 protected resource and it may accept an initial access token"),
        why: "An attacker can register clients, which the initial access token should prevent.",
        endangers: .allUsers,
        reads: RegistrationQueries.wrong(.withoutInitialToken),
        finding: { answer, _ in
            guard answer.isSuccess else { return nil }
            return Finding(
                "The provider registers a client without the initial access token of the configuration.",
                at: "Authorization",
                expected: "HTTP status 401",
                found: answer.phrase,
                fix: "Require the initial access token, or remove it from the configuration if registration is open."
            )
        }
    )

    package static let all: [Check] = [
        redirectURIsAreRequested, fragmentIsRefused, plainLoginURIIsRefused, unknownMethodIsRefused,
        unsignedFrontChannelIsRefused, unfitAddressesAreRefused, initialTokenIsRequired,
    ]
}
