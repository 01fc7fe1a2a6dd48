package import Conformance
import JSONTree

/// The response to a valid registration request.
package enum RegistrationResponseChecks {
    static let isAccepted = Check(
        "registration.client.is-accepted",
        "The provider registers an ordinary client",
        .risk,
        .signIn,
        Citation(
            .rfc7591,
            "3",
            "the client registration endpoint SHOULD allow registration requests with no authorization"
        ),
        why: "A platform that registers itself cannot be set up, and checks that need a special client are skipped.",
        reads: RegistrationQueries.plain,
        finding: { answer, _ in
            guard !answer.isSuccess else { return nil }
            return Finding(
                "The provider rejects an ordinary registration request.",
                expected: "HTTP status 201",
                found: answer.phrase,
                fix: answer.isClosed
                    ? "Set dynamic_registration.initial_access_token in the configuration, or remove registration_endpoint from the discovery document."
                    : "Accept response_types [code] with the redirect URI of the configuration, or disable dynamic_registration."
            )
        }
    )

    static let ordinaryIsEnough = Check(
        "registration.ordinary-metadata.is-enough",
        "The provider registers a client that sends scope and no keys",
        .may,
        .conformance,
        Citation(.rfc7591, "2", "values (as described in Section 3.3 of OAuth 2.0 [RFC6749]) that the client can use"),
        why: "The provider rejects libraries that send scope, or that have no keys, without stating the reason.",
        reads: RegistrationQueries.ordinary,
        exempt: { answer, _ in answer.isSuccess ? nil : "the provider registered no client (reported by another check)"
        },
        finding: { answer, _ in
            let needs = answer.sent.has("jwks") ? "without scope, and with keys" : "without scope"
            guard !answer.sent.has("scope") else { return nil }
            return Finding(
                "The provider registers a client only \(needs).",
                at: "/scope",
                expected: "a client with scope and without keys",
                found: answer.phrase,
                fix: "Accept scope, and clients without keys, in the registration policy, unless only your own clients "
                    + "register. This run continues with a registration that the provider accepts."
            )
        }
    )

    static let advertisedIsAccepted = Check(
        "registration.advertised-values.can-be-registered",
        "The provider registers every value that the discovery document lists",
        .risk,
        .conformance,
        Citation(.registration, "3.2", "MAY reject or replace any of the Client's requested field values"),
        why: "A client that selects a listed value is rejected.",
        reads: RegistrationQueries.advertised,
        supersededBy: [
            "registration.client.is-accepted", "keys.signing-key.fits-every-algorithm",
            "discovery.id-token-signing-alg-values-supported.exclude-none", "idtoken.alg.is-the-default",
        ],
        finding: { answer, _ in
            guard !answer.isSuccess else { return nil }
            return Finding(
                "The provider lists a value in its discovery document but rejects a client that registers it.",
                expected: "HTTP status 201",
                found: answer.phrase,
                fix: "Accept every value that the discovery document lists, or remove the value from the document."
            )
        }
    )

    static let statusIs201 = Check(
        "registration.status.is-201",
        "The provider returns status 201 for a successful registration",
        .should,
        .conformance,
        Citation(.registration, "3.2", "A successful response SHOULD use the HTTP 201 Created status code"),
        why: "Client libraries treat any other status as a failure and register repeatedly.",
        reads: RegistrationQueries.successes,
        finding: { answer, _ in
            guard answer.response.status != 201 else { return nil }
            return Finding(
                "The provider returns HTTP status \(answer.response.status) for a successful registration.",
                expected: "HTTP status 201",
                found: "HTTP status \(answer.response.status)",
                fix: "Return status 201 (Created) for a successful registration."
            )
        }
    )

    static let contentTypeIsJSON = Check(
        "registration.content-type.is-json",
        "The registration response has the content type application/json",
        .should,
        .conformance,
        Citation(.registration, "3.2", "return a JSON document using the application/json content type"),
        why: "Client libraries do not parse the credentials in a response of another media type.",
        reads: RegistrationQueries.successes,
        finding: { answer, _ in JSONAnswer.mediaType(answer.response, "The response") }
    )

    static let isNotStored = Check(
        "registration.cache-control.has-no-store",
        "The registration response has Cache-Control: no-store",
        .risk,
        .conformance,
        Citation(.rfc6749, "5.1", "any response containing tokens, credentials, or other sensitive information"),
        why: "A cache that stores the response also stores the client secret.",
        reads: RegistrationQueries.successes,
        finding: { answer, _ in
            JSONAnswer.mayBeStored(
                answer.response,
                "The response with the client's credentials",
                "every registration response"
            )
        }
    )

    static let hasClientID = Check(
        "registration.client-id.is-present",
        "The registration response is a JSON object with the client_id",
        .must,
        .signIn,
        Citation(.registration, "3.2", "client_id REQUIRED. Unique Client Identifier."),
        why: "Without its client_id, the new client can be neither used nor deleted.",
        reads: RegistrationQueries.successes,
        finding: { answer, _ in
            guard answer.text("client_id")?.isEmpty ?? true else { return nil }
            return Finding(
                answer.object == nil
                    ? "The registration response is \(answer.json.map(\.kind.phrase) ?? "not JSON"), not a JSON object."
                    : "The registration response has no client_id.",
                at: "/client_id",
                expected: "a string",
                found: answer.object?["client_id"]?.shown ?? "missing",
                fix: "Return the new client's identifier as a string in client_id."
            )
        }
    )

    static let issuedAtIsANumber = Check(
        "registration.client-id-issued-at.is-a-number",
        "The registration response states client_id_issued_at as a JSON number",
        .must,
        .conformance,
        Citation(
            .rfc7591,
            "3.2.1",
            "The time is represented as the number of seconds from 1970-01-01T00:00:00Z as measured in UTC"
        ),
        why: "Typed client libraries reject the whole response, and the new client is lost.",
        reads: RegistrationQueries.successes,
        exempt: { answer, _ in
            answer.object?.has("client_id_issued_at") == true
                ? nil : "the response has no client_id_issued_at, which is optional"
        },
        finding: { answer, _ in
            guard let value = answer.object?["client_id_issued_at"], value.numberValue == nil else { return nil }
            return Finding(
                "client_id_issued_at is \(value.kind.phrase).",
                at: "/client_id_issued_at",
                expected: "seconds since 1970, a JSON number",
                found: value.shown,
                fix: "Write client_id_issued_at as a number without quotation marks."
            )
        }
    )

    static let redirectURIsArePresent = Check(
        "registration.redirect-uris.are-present",
        "The registration response has redirect_uris, a list of strings",
        .must,
        .conformance,
        redirectURIsAreReturned.citation,
        why: "Typed client libraries reject a response without redirect_uris, and the new client is lost.",
        reads: RegistrationQueries.successes,
        supersededBy: ["registration.client-id.is-present"],
        finding: { answer, _ in
            guard answer.object?["redirect_uris"]?.strings == nil else { return nil }
            return Finding(
                "redirect_uris in the registration response is missing or not a list of strings.",
                at: "/redirect_uris",
                expected: (answer.sent["redirect_uris"]?.strings ?? []).joined(separator: ", ").shown(),
                found: answer.object?["redirect_uris"]?.shown ?? "missing",
                fix: "Return redirect_uris exactly as in the request."
            )
        }
    )

    static let redirectURIsAreReturned = Check(
        "registration.redirect-uris.are-returned",
        "The registration response contains the registered redirect URI",
        .must,
        .conformance,
        Citation(.rfc7591, "3.2.1", "the authorization server MUST return all registered metadata about this client"),
        why: "The client does not notice that its redirect URI was lost or changed until a sign-in fails.",
        reads: RegistrationQueries.successes,
        supersededBy: ["registration.client-id.is-present", "registration.redirect-uris.are-present"],
        finding: { answer, _ in
            let sent = answer.sent["redirect_uris"]?.strings ?? []
            guard !sent.allSatisfy(answer.redirectURIs.contains) else { return nil }
            return Finding(
                "The registration response does not contain the redirect URI of the request.",
                at: "/redirect_uris",
                expected: sent.joined(separator: ", ").shown(),
                found: answer.object?["redirect_uris"]?.shown ?? "missing",
                fix: "Return redirect_uris exactly as in the request."
            )
        }
    )

    /// Members that a provider which advertises them supports; it ignores unsupported ones (RFC 7591 section 2).
    private static let understood = [
        "client_name", "response_types", "grant_types", "token_endpoint_auth_method", "subject_type",
        "id_token_signed_response_alg", "id_token_encrypted_response_alg", "id_token_encrypted_response_enc",
        "userinfo_signed_response_alg", "userinfo_encrypted_response_alg", "userinfo_encrypted_response_enc",
    ]

    static let metadataIsReturned = Check(
        "registration.metadata.is-returned",
        "The registration response contains all registered metadata",
        .risk,
        .conformance,
        Citation(
            .registration,
            "3.2",
            "along with all registered metadata about this Client, including any fields provisioned by the Authorization Server itself"
        ),
        why: "The client does not know whether its requested values were registered, replaced or ignored.",
        reads: RegistrationQueries.successes,
        supersededBy: ["registration.client-id.is-present"]
    ) { answer, _ in
        understood.filter { answer.sent.has($0) && answer.object?.has($0) == false }
            .map { member in
                Finding(
                    "The registration response does not contain \(member), which the request had.",
                    at: "/" + member,
                    expected: answer.sent[member]?.shown,
                    found: "missing",
                    fix: "Return \(member) with the registered value, even if it is the default."
                )
            }
    }

    static let loginURIIsReturned = Check(
        "registration.initiate-login-uri.is-returned",
        "The registration response contains the requested initiate_login_uri",
        .may,
        .conformance,
        Citation(
            .registration,
            "2",
            "URI using the https scheme that a third party can use to initiate a login by the RP"
        ),
        why: "A sign-in that starts at the provider or at a portal cannot reach the application.",
        reads: RegistrationQueries.successes,
        supersededBy: ["registration.client-id.is-present"],
        exempt: { answer, _ in answer.sent.has("initiate_login_uri") ? nil : "the request did not have it" },
        finding: { answer, _ in
            guard answer.object?["initiate_login_uri"] != answer.sent["initiate_login_uri"] else { return nil }
            return Finding(
                "The registration response does not contain the requested initiate_login_uri.",
                at: "/initiate_login_uri",
                expected: answer.sent["initiate_login_uri"]?.shown,
                found: answer.object?["initiate_login_uri"]?.shown ?? "missing",
                fix: "Store and return initiate_login_uri if sign-ins may start at a third party."
            )
        }
    )

    static let logoutURIsAreReturned = Check(
        "registration.post-logout-redirect-uris.are-returned",
        "The registration response contains the requested post_logout_redirect_uris",
        .risk,
        .conformance,
        Citation(
            .rpInitiatedLogout,
            "3.1",
            "Array of URLs supplied by the RP to which it MAY request that the End-User's User Agent be redirected"
        ),
        why: "Users who log out stay on a page of the provider, with no way back to the application.",
        reads: RegistrationQueries.successes,
        supersededBy: ["registration.client-id.is-present"],
        exempt: { answer, _ in answer.sent.has("post_logout_redirect_uris") ? nil : "the request did not have it" },
        finding: { answer, _ in
            let member = "post_logout_redirect_uris"
            guard answer.object?[member] != answer.sent[member] else { return nil }
            return Finding(
                "The registration response does not contain the requested post_logout_redirect_uris.",
                at: "/" + member,
                expected: answer.sent[member]?.shown,
                found: answer.object?[member]?.shown ?? "missing",
                fix: "Store and return post_logout_redirect_uris, and redirect there after logout."
            )
        }
    )

    package static let all: [Check] = [
        isAccepted, ordinaryIsEnough, advertisedIsAccepted, statusIs201, contentTypeIsJSON, isNotStored, hasClientID,
        issuedAtIsANumber, redirectURIsArePresent, redirectURIsAreReturned, metadataIsReturned, loginURIIsReturned,
        logoutURIsAreReturned,
    ]
}
