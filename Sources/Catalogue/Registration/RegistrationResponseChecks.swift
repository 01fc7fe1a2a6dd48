package import Conformance
import JSONTree

/// The answer to a registration request that is in order.
package enum RegistrationResponseChecks {
    package static let isAccepted = Check(
        "registration.client.is-accepted",
        "An ordinary client can be registered",
        .risk,
        .signIn,
        Citation(
            .rfc7591,
            "3",
            "the client registration endpoint SHOULD allow registration requests with no authorization"
        ),
        why:
            "A platform that registers itself cannot be set up, and nothing that needs a client of a special kind is judged.",
        reads: RegistrationSlots.plain,
        finding: { answer, _ in
            guard !answer.isSuccess else { return nil }
            return Finding(
                "The provider registered no client for an ordinary request.",
                expected: "HTTP status 201",
                found: answer.phrase,
                fix: answer.isClosed
                    ? "Give dynamic_registration.initial_access_token in the configuration, or leave registration_endpoint out of the discovery document."
                    : "Accept response_types [code] with the redirect URI of the configuration, or switch dynamic_registration off."
            )
        }
    )

    package static let ordinaryIsEnough = Check(
        "registration.ordinary-metadata.is-enough",
        "A client may name its scopes, and needs no keys, to be registered",
        .may,
        .conformance,
        Citation(.rfc7591, "2", "values (as described in Section 3.3 of OAuth 2.0 [RFC6749]) that the client can use"),
        why: "Libraries that send scope, or that have no keys, are turned away; which of them it is nobody is told.",
        reads: RegistrationSlots.ordinary,
        exempt: { answer, _ in
            answer.isSuccess ? nil : "no client was registered, which another check reports"
        },
        finding: { answer, _ in
            let needs = answer.sent.has("jwks") ? "without scope, and with keys" : "without scope"
            guard !answer.sent.has("scope") else { return nil }
            return Finding(
                "A client was registered only \(needs).",
                at: "/scope",
                expected: "a client with its scopes and no keys",
                found: answer.phrase,
                fix: "Let the policy for registration allow what libraries send; nothing need be done where only "
                    + "clients of your own register. This run went on with what was allowed."
            )
        }
    )

    package static let advertisedIsAccepted = Check(
        "registration.advertised-values.can-be-registered",
        "What the discovery document lists can be registered",
        .risk,
        .conformance,
        Citation(.registration, "3.2", "MAY reject or replace any of the Client's requested field values"),
        why: "A client chooses from what is listed, and is turned away.",
        reads: RegistrationSlots.advertised,
        excusedBy: [
            "registration.client.is-accepted", "keys.signing-key.fits-every-algorithm",
            "discovery.id-token-signing-alg-values-supported.exclude-none", "idtoken.alg.is-the-default",
        ],
        finding: { answer, _ in
            guard !answer.isSuccess else { return nil }
            return Finding(
                "The provider lists a value in its discovery document and refuses a client that registers it.",
                expected: "HTTP status 201",
                found: answer.phrase,
                fix: "Register clients for every value that the discovery document lists, or remove it from there."
            )
        }
    )

    package static let statusIs201 = Check(
        "registration.status.is-201",
        "A registered client is answered with status 201",
        .should,
        .conformance,
        Citation(.registration, "3.2", "A successful response SHOULD use the HTTP 201 Created status code"),
        why: "Client libraries take any other status for a failure and register again and again.",
        reads: RegistrationSlots.successes,
        finding: { answer, _ in
            guard answer.response.status != 201 else { return nil }
            return Finding(
                "The registration was answered with HTTP status \(answer.response.status).",
                expected: "HTTP status 201",
                found: "HTTP status \(answer.response.status)",
                fix: "Answer a successful registration with 201 Created."
            )
        }
    )

    package static let contentTypeIsJSON = Check(
        "registration.content-type.is-json",
        "The registration response is marked as JSON",
        .should,
        .conformance,
        Citation(.registration, "3.2", "return a JSON document using the application/json content type"),
        why: "Client libraries refuse to read the credentials from an answer of another media type.",
        reads: RegistrationSlots.successes,
        finding: { answer, _ in JSONAnswer.mediaType(answer.response, "The answer") }
    )

    package static let isNotStored = Check(
        "registration.cache-control.has-no-store",
        "The registration response forbids storing",
        .risk,
        .conformance,
        Citation(.rfc6749, "5.1", "any response containing tokens, credentials, or other sensitive information"),
        why: "A cache that keeps the answer keeps the client's secret.",
        reads: RegistrationSlots.successes,
        finding: { answer, _ in
            JSONAnswer.mayBeStored(
                answer.response,
                "The answer with the client's credentials",
                "every registration response"
            )
        }
    )

    package static let hasClientID = Check(
        "registration.client-id.is-present",
        "The registration response is a JSON object with the client_id",
        .must,
        .signIn,
        Citation(.registration, "3.2", "client_id REQUIRED. Unique Client Identifier."),
        why: "Without its identifier the client that was just registered cannot be used, nor be deleted.",
        reads: RegistrationSlots.successes,
        finding: { answer, _ in
            guard answer.text("client_id")?.isEmpty ?? true else { return nil }
            return Finding(
                answer.object == nil
                    ? "The registration response is \(answer.json.map(\.kind.phrase) ?? "not JSON"), not a JSON object."
                    : "The registration response has no client_id.",
                at: "/client_id",
                expected: "a string",
                found: answer.object?["client_id"]?.shown ?? "missing",
                fix: "Return the new client's identifier as the member client_id."
            )
        }
    )

    package static let issuedAtIsANumber = Check(
        "registration.client-id-issued-at.is-a-number",
        "client_id_issued_at is a number of seconds",
        .must,
        .conformance,
        Citation(
            .rfc7591,
            "3.2.1",
            "The time is represented as the number of seconds from 1970-01-01T00:00:00Z as measured in UTC"
        ),
        why: "Typed client libraries refuse the whole response, and the client that was registered is lost.",
        reads: RegistrationSlots.successes,
        exempt: { answer, _ in
            answer.object?.has("client_id_issued_at") == true ? nil : "the response does not tell, which is optional"
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

    package static let redirectURIsAreReturned = Check(
        "registration.redirect-uris.are-returned",
        "The registration response repeats the redirect URI",
        .must,
        .conformance,
        Citation(
            .rfc7591,
            "3.2.1",
            "the authorization server MUST return all registered metadata about this client"
        ),
        why: "The client cannot see that its redirect URI was lost or changed until a sign-in fails.",
        reads: RegistrationSlots.successes,
        excusedBy: ["registration.client-id.is-present"],
        finding: { answer, _ in
            let sent = answer.sent["redirect_uris"]?.strings ?? []
            guard !sent.allSatisfy(answer.redirectURIs.contains) else { return nil }
            return Finding(
                "The registration response does not name the redirect URI that was registered.",
                at: "/redirect_uris",
                expected: sent.joined(separator: ", ").shown(),
                found: answer.object?["redirect_uris"]?.shown ?? "missing",
                fix: "Return redirect_uris as they were registered, character by character."
            )
        }
    )

    /// What a provider that advertises it understands; what is not understood is ignored (RFC 7591 section 2).
    private static let understood = [
        "client_name", "response_types", "grant_types", "token_endpoint_auth_method", "subject_type",
        "id_token_signed_response_alg", "id_token_encrypted_response_alg", "id_token_encrypted_response_enc",
        "userinfo_signed_response_alg", "userinfo_encrypted_response_alg", "userinfo_encrypted_response_enc",
    ]

    package static let metadataIsReturned = Check(
        "registration.metadata.is-returned",
        "The registration response names all that was registered",
        .risk,
        .conformance,
        Citation(
            .registration,
            "3.2",
            "along with all registered metadata about this Client, including any fields provisioned by the Authorization Server itself"
        ),
        why: "The client cannot tell whether what it asked for was registered, replaced or ignored.",
        reads: RegistrationSlots.successes,
        excusedBy: ["registration.client-id.is-present"]
    ) { answer, _ in
        understood.filter { answer.sent.has($0) && answer.object?.has($0) == false }
            .map { member in
                Finding(
                    "The registration response does not say what became of \(member).",
                    at: "/" + member,
                    expected: answer.sent[member]?.shown,
                    found: "missing",
                    fix: "Return \(member) with the value that was registered, the default included."
                )
            }
    }

    package static let loginURIIsReturned = Check(
        "registration.initiate-login-uri.is-returned",
        "The registration response repeats initiate_login_uri",
        .may,
        .conformance,
        Citation(
            .registration,
            "2",
            "URI using the https scheme that a third party can use to initiate a login by the RP"
        ),
        why: "Sign-ins that begin at the provider or at a portal do not know where to go.",
        reads: RegistrationSlots.successes,
        excusedBy: ["registration.client-id.is-present"],
        exempt: { answer, _ in answer.sent.has("initiate_login_uri") ? nil : "it was not asked for" },
        finding: { answer, _ in
            guard answer.object?["initiate_login_uri"] != answer.sent["initiate_login_uri"] else { return nil }
            return Finding(
                "The registration response does not repeat initiate_login_uri.",
                at: "/initiate_login_uri",
                expected: answer.sent["initiate_login_uri"]?.shown,
                found: answer.object?["initiate_login_uri"]?.shown ?? "missing",
                fix: "Keep and return initiate_login_uri, if sign-ins may begin at a third party."
            )
        }
    )

    package static let logoutURIsAreReturned = Check(
        "registration.post-logout-redirect-uris.are-returned",
        "The registration response repeats post_logout_redirect_uris",
        .risk,
        .conformance,
        Citation(
            .rpInitiatedLogout,
            "3.1",
            "Array of URLs supplied by the RP to which it MAY request that the End-User's User Agent be redirected"
        ),
        why: "People who sign out at the application end on a page of the provider, and do not come back.",
        reads: RegistrationSlots.successes,
        excusedBy: ["registration.client-id.is-present"],
        exempt: { answer, _ in answer.sent.has("post_logout_redirect_uris") ? nil : "it was not asked for" },
        finding: { answer, _ in
            let member = "post_logout_redirect_uris"
            guard answer.object?[member] != answer.sent[member] else { return nil }
            return Finding(
                "The registration response does not repeat post_logout_redirect_uris, and logout is offered.",
                at: "/" + member,
                expected: answer.sent[member]?.shown,
                found: answer.object?[member]?.shown ?? "missing",
                fix: "Keep and return post_logout_redirect_uris, and redirect there after logout."
            )
        }
    )

    package static let all: [Check] = [
        isAccepted, ordinaryIsEnough, advertisedIsAccepted, statusIs201, contentTypeIsJSON, isNotStored, hasClientID,
        issuedAtIsANumber, redirectURIsAreReturned, metadataIsReturned, loginURIIsReturned,
        logoutURIsAreReturned,
    ]
}
