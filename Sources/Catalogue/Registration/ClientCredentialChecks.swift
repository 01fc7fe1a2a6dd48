package import Conformance
import JSONTree

/// The credentials in a registration response.
package enum ClientCredentialChecks {
    private static let noClient: CheckID = "registration.client-id.is-present"

    static let secretIsIssued = Check(
        "registration.client-secret.is-issued",
        "The provider issues a client_secret to a client that authenticates with one",
        .risk,
        .signIn,
        Citation(.registration, "3.2", "client_secret OPTIONAL. Client Secret."),
        why: "Without a secret, the client cannot authenticate and cannot redeem a code.",
        reads: RegistrationQueries.successes,
        supersededBy: [noClient],
        exempt: { answer, _ in
            answer.text("token_endpoint_auth_method")?.hasPrefix("client_secret") == true
                ? nil : "the client was not registered for a method with a secret"
        },
        finding: { answer, _ in
            guard answer.text("client_secret")?.isEmpty ?? true else { return nil }
            return Finding(
                "The provider registers the client for \(answer.text("token_endpoint_auth_method") ?? "") but issues no client_secret.",
                at: "/client_secret",
                expected: "a secret",
                found: answer.object?["client_secret"]?.shown ?? "missing",
                fix: "Return client_secret, or register the client with token_endpoint_auth_method none."
            )
        }
    )

    static let secretHasExpiry = Check(
        "registration.client-secret.has-expiry",
        "The provider returns client_secret_expires_at with a client_secret",
        .must,
        .conformance,
        Citation(.registration, "3.2", "client_secret_expires_at REQUIRED if client_secret is issued."),
        why: "The client does not know when to register again, and sign-in stops without a warning.",
        reads: RegistrationQueries.successes,
        supersededBy: [noClient],
        exempt: { answer, _ in
            answer.object?.has("client_secret") == true ? nil : "the provider issued no client_secret"
        },
        finding: { answer, _ in
            guard answer.object?.has("client_secret_expires_at") != true else { return nil }
            return Finding(
                "The provider issues a client_secret without client_secret_expires_at.",
                at: "/client_secret_expires_at",
                expected: "0, or a time in seconds since 1970",
                found: "missing",
                fix: "Return client_secret_expires_at with client_secret; use 0 for a secret that does not expire."
            )
        }
    )

    static let expiryIsATime = Check(
        "registration.client-secret-expires-at.is-a-time",
        "The client_secret_expires_at of a registration response is 0 or a future time",
        .must,
        .conformance,
        Citation(
            .registration,
            "3.2",
            "Time at which the client_secret will expire or 0 if it will not expire. Its value is a JSON number"
        ),
        why: "The client discards its secret at once, or fails to parse the response.",
        reads: RegistrationQueries.successes,
        supersededBy: [noClient],
        exempt: { answer, _ in
            answer.object?.has("client_secret_expires_at") == true
                ? nil : "the response has no client_secret_expires_at"
        },
        finding: { answer, facts in
            let value = answer.object?["client_secret_expires_at"]
            if let number = value?.numberValue, number == 0 || number > facts.observedAt { return nil }
            return Finding(
                "client_secret_expires_at is \(value?.numberValue == nil ? "not a number" : "in the past").",
                at: "/client_secret_expires_at",
                expected: "0, or a future time in seconds since 1970",
                found: value?.shown,
                fix: "Set client_secret_expires_at to the expiration time in seconds since 1970, or to 0."
            )
        }
    )

    static let managementIsWhole = Check(
        "registration.management.is-both-or-neither",
        "The provider returns both or neither of registration_client_uri and registration_access_token",
        .must,
        .conformance,
        Citation(
            .registration,
            "3.2",
            "Implementations MUST either return both a Client Configuration Endpoint and a Registration Access Token or neither of them."
        ),
        why: "The client can be neither read nor deleted, and stays registered forever.",
        reads: RegistrationQueries.successes,
        supersededBy: [noClient],
        finding: { answer, _ in
            let members = ["registration_client_uri", "registration_access_token"]
            let missing = members.filter { answer.text($0)?.isEmpty ?? true }
            guard missing.count == 1, let member = missing.first else { return nil }
            return Finding(
                "The registration response has only one of registration_client_uri and registration_access_token.",
                at: "/" + member,
                expected: "a string",
                found: answer.object?[member]?.shown ?? "missing",
                fix: "Return both registration_client_uri and registration_access_token, or neither."
            )
        }
    )

    static let managementUsesTLS = Check(
        "registration.management.uses-https",
        "The registration_client_uri uses https",
        .must,
        .safety,
        Citation(.registration, "3.2", "This URL MUST use the https scheme."),
        why: "An attacker on the network can read the token that permits changing and deleting the client.",
        reads: RegistrationQueries.successes,
        supersededBy: [noClient],
        exempt: { answer, facts in
            if answer.text("registration_client_uri") == nil { return "the response has no registration_client_uri" }
            // Another check reports an issuer over http, for the same reason.
            return facts.target.issuer.hasPrefix("http://") ? "the issuer itself uses http" : nil
        },
        finding: { answer, _ in
            let address = answer.text("registration_client_uri") ?? ""
            guard !address.lowercased().hasPrefix("https://") else { return nil }
            return Finding(
                "registration_client_uri is not an https URL.",
                at: "/registration_client_uri",
                expected: "an https URL",
                found: address.shown(),
                fix: "Set registration_client_uri to the absolute https URL of the client configuration endpoint."
            )
        }
    )

    package static let all: [Check] = [
        secretIsIssued, secretHasExpiry, expiryIsATime, managementIsWhole, managementUsesTLS,
    ]
}
