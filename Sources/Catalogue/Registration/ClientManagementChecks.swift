package import Conformance
import JSONTree

/// Reading and deleting a registration (RFC 7592, OpenID Connect Registration section 4).
package enum ClientManagementChecks {
    private static let notRead = "the registration could not be read"

    static let readingIs200 = Check(
        "registration.read.status-is-200",
        "The provider returns status 200 to a client that reads its registration",
        .should,
        .conformance,
        Citation(.registration, "4.3", "A successful response SHOULD use the HTTP 200 OK status code"),
        why: "The client can neither read its registered metadata nor renew its secret.",
        reads: RegistrationQueries.reading,
        finding: { answer, _ in
            guard answer.response.status != 200 else { return nil }
            return Finding(
                "The provider returns HTTP status \(answer.response.status) to a client that reads its registration.",
                at: "/registration_client_uri",
                expected: "HTTP status 200",
                found: answer.phrase,
                fix:
                    "Return status 200 and the client's metadata for GET requests at registration_client_uri with a valid registration access token."
            )
        }
    )

    static let readingIsJSON = Check(
        "registration.read.content-type-is-json",
        "The provider returns the registration as JSON",
        .should,
        .conformance,
        Citation(.rfc7592, "2.1", "responds with an HTTP 200 OK with content type of \"application/json\""),
        why: "Client libraries do not parse the metadata in a response of another media type.",
        reads: RegistrationQueries.reading,
        exempt: { answer, _ in answer.isSuccess ? nil : notRead },
        finding: { answer, _ in JSONAnswer.mediaType(answer.response, "The response") }
    )

    static let readingNamesTheClient = Check(
        "registration.read.client-id-is-the-same",
        "The registration that a client reads has its own client_id",
        .should,
        .conformance,
        Citation(
            .rfc7592,
            "3",
            "the response contains the client identifier as well as the client secret (if the client is a confidential client)"
        ),
        why: "A client that stores the response continues with the client ID of another client.",
        reads: RegistrationQueries.reading,
        supersededBy: ["registration.read.content-type-is-json"],
        exempt: { answer, _ in answer.isSuccess ? nil : notRead },
        finding: { answer, _ in
            guard answer.text("client_id") != answer.run.clientID else { return nil }
            return Finding(
                "The registration that the client reads has another client_id, or none.",
                at: "/client_id",
                expected: answer.run.clientID.shown(),
                found: Finding.shown(answer.object?["client_id"], beside: ""),
                fix: "Return the client_id of the client to which the registration access token belongs."
            )
        }
    )

    static let readingHasMetadata = Check(
        "registration.read.metadata-is-returned",
        "The registration that a client reads contains its redirect URI",
        .should,
        .conformance,
        Citation(.registration, "4.3", "SHOULD return all registered Metadata about this Client"),
        why: "The client cannot verify its registered metadata.",
        reads: RegistrationQueries.reading,
        supersededBy: ["registration.read.content-type-is-json", "registration.redirect-uris.are-returned"],
        exempt: { answer, _ in answer.isSuccess ? nil : notRead },
        finding: { answer, _ in
            let sent = answer.sent["redirect_uris"]?.strings ?? []
            guard !sent.allSatisfy(answer.redirectURIs.contains) else { return nil }
            return Finding(
                "The registration that the client reads does not contain its redirect URI.",
                at: "/redirect_uris",
                expected: sent.joined(separator: ", ").shown(),
                found: answer.object?["redirect_uris"]?.shown ?? "missing",
                fix: "Return all metadata of the client, including redirect_uris, at registration_client_uri."
            )
        }
    )

    static let readingNeedsItsToken = Check(
        "registration.read.no-token-is-refused",
        "The provider rejects a request without a token to read a registration",
        .must,
        .safety,
        Citation(
            .rfc7592,
            "2",
            "The client MUST use its registration access token in all calls to this endpoint as an OAuth 2.0 Bearer Token"
        ),
        why: "An attacker who knows a client ID reads the client's secret.",
        reads: RegistrationQueries.readingWithoutToken,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, answer.object?.has("client_id") == true else { return nil }
            return Finding(
                "The provider returns a registration for a request without a token.",
                at: "Authorization",
                expected: "HTTP status 401",
                found: answer.phrase,
                fix: "Require the registration access token for every request at registration_client_uri."
            )
        }
    )

    static let deletionIs204 = Check(
        "registration.deletion.status-is-204",
        "The provider returns status 204 after deleting a client",
        .must,
        .conformance,
        Citation(
            .rfc7592,
            "2.3",
            "If a client has been successfully deprovisioned, the authorization server MUST respond with an HTTP 204 No Content message."
        ),
        why: "A client library treats another status as a failure and reports the client as still registered.",
        reads: Registrations.deletion(.registeredClient),
        exempt: { answer, _ in
            // Deletion is optional; an endpoint that is missing or forbids it deletes nothing.
            (400...499).contains(answer.response.status)
                ? "the provider does not delete clients (HTTP status \(answer.response.status))" : nil
        },
        finding: { answer, _ in
            guard answer.response.status != 204 else { return nil }
            return Finding(
                "The provider returns HTTP status \(answer.response.status) after deleting a client.",
                at: "/registration_client_uri",
                expected: "HTTP status 204",
                found: "HTTP status \(answer.response.status)",
                fix: "Return status 204 without a body for a successful DELETE at registration_client_uri."
            )
        }
    )

    static let addressIsThere = Check(
        "registration.management.address-is-there",
        "The registration_client_uri of a registration response exists",
        .risk,
        .conformance,
        Citation(.rfc7592, "2.3", "the client makes an HTTP DELETE request to the client configuration endpoint"),
        why: "Temporary clients accumulate because their owners cannot delete them.",
        reads: Registrations.deletion(.registeredClient),
        finding: { answer, _ in
            guard [404, 410].contains(answer.response.status) else { return nil }
            return Finding(
                "The provider returns HTTP status \(answer.response.status) for a DELETE request at the "
                    + "registration_client_uri that it issued.",
                at: "/registration_client_uri",
                expected: "HTTP status 204, or 405 if clients cannot be deleted",
                found: "HTTP status \(answer.response.status)",
                fix:
                    "Implement registration_client_uri, or omit it and registration_access_token from the registration response."
            )
        }
    )

    static let deletedIsRefused = Check(
        "registration.deleted-client.is-refused",
        "The token endpoint rejects a deleted client",
        .must,
        .safety,
        Citation(
            .rfc7592,
            "2.3",
            "thereby preventing the \"client_id\" from being used at either the authorization endpoint or token endpoint"
        ),
        why: "An attacker who finds the deleted credentials can still use them.",
        reads: Registrations.asRegistered(
            "response of the token endpoint to a deleted client",
            "redirect_uris",
            [.registeredClient],
            needing: AuthenticationOrder.needs
        ) { run, facts in Registrations.answer(run, .afterDeletion, facts) },
        supersededBy: ["token.code.needs-the-right-secret"],
        passesOn: .refusal,
        exempt: { _, facts in AuthenticationOrder.whyUnknown(facts) },
        finding: { subject, _ in
            guard subject.value.isAcceptance else { return nil }
            return Finding(
                "The token endpoint accepts a client after its deletion.",
                at: "client_id",
                expected: "HTTP status 401 and error invalid_client",
                found: subject.value.phrase,
                fix: "Delete the client, its secret and its grants before returning 204."
            )
        }
    )

    package static let all: [Check] = [
        readingIs200, readingIsJSON, readingNamesTheClient, readingHasMetadata, readingNeedsItsToken, deletionIs204,
        addressIsThere, deletedIsRefused,
    ]
}
