package import Conformance
import JSONTree

/// Reading and deleting a registration (RFC 7592, OpenID Connect Registration section 4).
package enum ClientManagementChecks {
    private static let notRead = "the registration could not be read"

    package static let readingIs200 = Check(
        "registration.read.status-is-200",
        "A client can read its registration",
        .should,
        .conformance,
        Citation(.registration, "4.3", "A successful response SHOULD use the HTTP 200 OK status code"),
        why: "The client cannot see what was registered, nor renew its secret.",
        reads: RegistrationSlots.reading,
        finding: { answer, _ in
            guard answer.response.status != 200 else { return nil }
            return Finding(
                "Reading the registration was answered with HTTP status \(answer.response.status).",
                at: "/registration_client_uri",
                expected: "HTTP status 200",
                found: answer.phrase,
                fix:
                    "Answer GET at registration_client_uri with the client's metadata when the registration access token is right."
            )
        }
    )

    package static let readingIsJSON = Check(
        "registration.read.content-type-is-json",
        "The registration is read as JSON",
        .should,
        .conformance,
        Citation(.rfc7592, "2.1", "responds with an HTTP 200 OK with content type of \"application/json\""),
        why: "Client libraries refuse to read the metadata from an answer of another media type.",
        reads: RegistrationSlots.reading,
        exempt: { answer, _ in answer.isSuccess ? nil : notRead },
        finding: { answer, _ in JSONAnswer.mediaType(answer.response, "The answer") }
    )

    package static let readingNamesTheClient = Check(
        "registration.read.client-id-is-the-same",
        "The registration that is read is that of the client",
        .should,
        .conformance,
        Citation(
            .rfc7592,
            "3",
            "the response contains the client identifier as well as the client secret (if the client is a confidential client)"
        ),
        why: "A client that takes over what it reads goes on with the identifier of another.",
        reads: RegistrationSlots.reading,
        excusedBy: ["registration.read.content-type-is-json"],
        exempt: { answer, _ in answer.isSuccess ? nil : notRead },
        finding: { answer, _ in
            guard answer.text("client_id") != answer.run.clientID else { return nil }
            return Finding(
                "The registration that was read names another client, or none.",
                at: "/client_id",
                expected: answer.run.clientID.shown(),
                found: Finding.shown(answer.object?["client_id"], beside: ""),
                fix: "Return the client_id of the client that the registration access token belongs to."
            )
        }
    )

    package static let readingHasMetadata = Check(
        "registration.read.metadata-is-returned",
        "The registration that is read holds the redirect URI",
        .should,
        .conformance,
        Citation(.registration, "4.3", "SHOULD return all registered Metadata about this Client"),
        why: "The client cannot see what was registered.",
        reads: RegistrationSlots.reading,
        excusedBy: ["registration.read.content-type-is-json", "registration.redirect-uris.are-returned"],
        exempt: { answer, _ in answer.isSuccess ? nil : notRead },
        finding: { answer, _ in
            let sent = answer.sent["redirect_uris"]?.strings ?? []
            guard !sent.allSatisfy(answer.redirectURIs.contains) else { return nil }
            return Finding(
                "The registration that was read does not hold the redirect URI.",
                at: "/redirect_uris",
                expected: sent.joined(separator: ", ").shown(),
                found: answer.object?["redirect_uris"]?.shown ?? "missing",
                fix: "Return all metadata of the client at registration_client_uri."
            )
        }
    )

    package static let deletionIs204 = Check(
        "registration.deletion.status-is-204",
        "A deleted client is answered with status 204",
        .must,
        .conformance,
        Citation(
            .rfc7592,
            "2.3",
            "If a client has been successfully deprovisioned, the authorization server MUST respond with an HTTP 204 No Content message."
        ),
        why: "A client library takes another status for a failure and reports the client as still registered.",
        reads: Registrations.deletion(.registeredClient),
        exempt: { answer, _ in
            // Deleting clients is not for everybody to offer; what is not there, or not allowed, deletes nothing.
            (400...499).contains(answer.response.status)
                ? "the provider does not delete clients (HTTP status \(answer.response.status))" : nil
        },
        finding: { answer, _ in
            guard answer.response.status != 204 else { return nil }
            return Finding(
                "Deleting the client was answered with HTTP status \(answer.response.status).",
                at: "/registration_client_uri",
                expected: "HTTP status 204",
                found: "HTTP status \(answer.response.status)",
                fix: "Answer a successful DELETE at registration_client_uri with 204 and no body."
            )
        }
    )

    package static let addressIsThere = Check(
        "registration.management.address-is-there",
        "The address that a registration response names for the client answers its deletion",
        .risk,
        .conformance,
        Citation(.rfc7592, "2.3", "the client makes an HTTP DELETE request to the client configuration endpoint"),
        why: "Clients that were registered for a moment pile up, as nobody can delete them.",
        reads: Registrations.deletion(.registeredClient),
        finding: { answer, _ in
            guard [404, 410].contains(answer.response.status) else { return nil }
            return Finding(
                "registration_client_uri was handed out, and a DELETE there was answered with HTTP status "
                    + "\(answer.response.status).",
                at: "/registration_client_uri",
                expected: "HTTP status 204, or 405 where clients cannot be deleted",
                found: "HTTP status \(answer.response.status)",
                fix: "Answer at registration_client_uri, or leave it and registration_access_token out of the response."
            )
        }
    )

    package static let deletedIsRefused = Check(
        "registration.deleted-client.is-refused",
        "A deleted client is not let in at the token endpoint",
        .must,
        .safety,
        Citation(
            .rfc7592,
            "2.3",
            "thereby preventing the \"client_id\" from being used at either the authorization endpoint or token endpoint"
        ),
        why: "Credentials that were given up go on working for whoever finds them.",
        reads: Registrations.asRegistered(
            "answer of the token endpoint to a deleted client",
            "redirect_uris",
            [.registeredClient],
            needing: AuthenticationOrder.needs
        ) { run, facts in Registrations.answer(run, .afterDeletion, facts) },
        excusedBy: ["token.code.needs-the-right-secret"],
        passesOn: .refusal,
        exempt: { _, facts in AuthenticationOrder.whyUnknown(facts) },
        finding: { subject, _ in
            guard subject.value.isAcceptance else { return nil }
            return Finding(
                "The token endpoint let a client in after it had been deleted.",
                at: "client_id",
                expected: "HTTP status 401 and error invalid_client",
                found: subject.value.phrase,
                fix: "Forget the client, its secret and its grants in the step that answers 204."
            )
        }
    )

    package static let all: [Check] = [
        readingIs200, readingIsJSON, readingNamesTheClient, readingHasMetadata, deletionIs204, addressIsThere,
        deletedIsRefused,
    ]
}
