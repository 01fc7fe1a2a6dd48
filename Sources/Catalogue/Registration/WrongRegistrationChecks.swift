package import Conformance
import JSONTree

/// Registration requests that no provider should fulfil as they are.
///
/// A provider may replace a value instead of refusing it, and then says so in its answer: only what the answer shows as
/// registered is held against it.
package enum WrongRegistrationChecks {
    package static let redirectURIsAreAskedFor = Check(
        "registration.missing-redirect-uris.are-refused",
        "A client for the code flow is not registered without redirect URIs",
        .should,
        .safety,
        Citation(
            .rfc6749,
            "3.1.2.2",
            "The authorization server SHOULD require all clients to register their redirection endpoint prior to utilizing the authorization endpoint."
        ),
        why: "An attacker may have codes sent to any address when the client has registered none.",
        reads: RegistrationSlots.wrong(.withoutRedirectURIs),
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, answer.redirectURIs.isEmpty else { return nil }
            return answer.accepted(
                "A client was registered without any redirect URI.",
                at: "redirect_uris",
                expected: "HTTP status 400 and error invalid_redirect_uri",
                fix: "Refuse registrations for redirect-based flows that name no redirect_uris."
            )
        }
    )

    package static let fragmentIsRefused = Check(
        "registration.redirect-uri-with-fragment.is-refused",
        "A redirect URI with a fragment is not registered",
        .must,
        .conformance,
        Citation(.rfc6749, "3.1.2", "The endpoint URI MUST NOT include a fragment component."),
        why: "The response's own fragment cannot be told from it, and tokens end up where nobody looks for them.",
        reads: RegistrationSlots.wrong(.withFragment),
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, answer.redirectURIs.contains(where: { $0.contains("#") }) else { return nil }
            return answer.accepted(
                "A redirect URI with a fragment was registered.",
                at: "redirect_uris",
                expected: "HTTP status 400 and error invalid_redirect_uri",
                fix: "Refuse redirect_uris that have a fragment with invalid_redirect_uri."
            )
        }
    )

    package static let plainLoginURIIsRefused = Check(
        "registration.http-initiate-login-uri.is-refused",
        "An initiate_login_uri over http is not registered",
        .risk,
        .safety,
        Citation(
            .registration,
            "2",
            "URI using the https scheme that a third party can use to initiate a login by the RP"
        ),
        why: "Whoever is on the way can change where a sign-in begins.",
        reads: RegistrationSlots.wrong(.withPlainLoginURI),
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, answer.text("initiate_login_uri")?.hasPrefix("http://") == true else { return nil }
            return answer.accepted(
                "An initiate_login_uri over http was registered.",
                at: "initiate_login_uri",
                expected: "HTTP status 400 and error invalid_client_metadata",
                fix: "Refuse every initiate_login_uri that does not begin with https://."
            )
        }
    )

    package static let unknownMethodIsRefused = Check(
        "registration.unknown-authentication-method.is-refused",
        "An authentication method that does not exist is not registered",
        .risk,
        .conformance,
        Citation(
            .rfc7591,
            "3.2.2",
            "The value of one of the client metadata fields is invalid and the server has rejected this request."
        ),
        why: "The client cannot authenticate, or, worse, need not.",
        reads: RegistrationSlots.wrong(.withUnknownMethod),
        passesOn: .refusal,
        finding: { answer, _ in
            let sent = answer.sent["token_endpoint_auth_method"]
            guard answer.isSuccess, answer.object?["token_endpoint_auth_method"] == sent else { return nil }
            return answer.accepted(
                "A client was registered with an authentication method that does not exist.",
                at: "token_endpoint_auth_method",
                expected: "HTTP status 400 and error invalid_client_metadata, or a method that exists",
                fix: "Accept only the methods of token_endpoint_auth_methods_supported."
            )
        }
    )

    package static let unsignedFrontChannelIsRefused = Check(
        "registration.unsigned-id-token-in-front-channel.is-refused",
        "Unsigned ID Tokens are not registered for the authorization endpoint",
        .must,
        .safety,
        Citation(
            .registration,
            "2",
            "The value none MUST NOT be used as the ID Token alg value unless the Client uses only Response Types that return no ID Token from the Authorization Endpoint"
        ),
        why: "Anybody can make an unsigned token and sign in as anybody.",
        reads: RegistrationSlots.wrong(.unsignedInFrontChannel, twin: .ordinaryImplicit),
        passesOn: .refusal,
        exempt: { answer, _ in
            answer.isSuccess && answer.object?.has("response_types") != true
                ? "the answer does not say for which response types the client is registered" : nil
        },
        finding: { answer, _ in
            let types = (answer.object?["response_types"]?.strings ?? []).map { ResponseType($0) }
            guard answer.isSuccess, answer.text("id_token_signed_response_alg") == "none",
                types.contains(where: \.hasIDToken)
            else { return nil }
            return answer.accepted(
                "A client was registered for unsigned ID Tokens from the authorization endpoint.",
                at: "id_token_signed_response_alg",
                expected: "HTTP status 400 and error invalid_client_metadata, or an algorithm that signs",
                fix: "Refuse id_token_signed_response_alg none for every response type with id_token."
            )
        }
    )

    package static let unfitAddressesAreRefused = Check(
        "registration.unfit-redirect-uris.are-refused",
        "Redirect URIs that do not fit the kind of application are not registered",
        .must,
        .safety,
        Citation(
            .registration,
            "2",
            "The Authorization Server MUST verify that all the registered redirect_uris conform to these constraints."
        ),
        why: "Whoever is on the way to an address over http, or runs a program on the machine, receives the tokens.",
        reads: RegistrationSlots.unfitAddresses,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, let sent = answer.sent["redirect_uris"]?.strings,
                sent.contains(where: answer.redirectURIs.contains)
            else { return nil }
            return answer.accepted(
                "A redirect URI was registered that the kind of application must not have.",
                at: "redirect_uris",
                expected: "HTTP status 400 and error invalid_redirect_uri",
                fix: "Refuse http and localhost for web applications with implicit or hybrid response types, and http "
                    + "addresses elsewhere than on this machine for native ones."
            )
        }
    )

    package static let initialTokenIsRequired = Check(
        "registration.initial-access-token.is-required",
        "Nobody registers a client without the initial access token",
        .risk,
        .safety,
        Citation(.rfc7591, "3", "may be an OAuth 2.0 protected resource and it may accept an initial access token"),
        why: "The token that was meant to keep strangers out keeps nobody out.",
        endangers: .everybody,
        reads: RegistrationSlots.wrong(.withoutInitialToken),
        finding: { answer, _ in
            guard answer.isSuccess else { return nil }
            return Finding(
                "A client was registered without the initial access token that the configuration names.",
                at: "Authorization",
                expected: "HTTP status 401",
                found: answer.phrase,
                fix:
                    "Ask for the initial access token, or take it out of the configuration if registering is meant to be open."
            )
        }
    )

    package static let all: [Check] = [
        redirectURIsAreAskedFor, fragmentIsRefused, plainLoginURIIsRefused, unknownMethodIsRefused,
        unsignedFrontChannelIsRefused, unfitAddressesAreRefused, initialTokenIsRequired,
    ]
}
