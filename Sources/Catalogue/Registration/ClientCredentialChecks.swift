package import Conformance
import JSONTree

/// The credentials that a registration response hands out.
package enum ClientCredentialChecks {
    private static let noClient: CheckID = "registration.client-id.is-present"

    package static let secretIsIssued = Check(
        "registration.client-secret.is-issued",
        "A client that authenticates with a secret is given one",
        .risk,
        .signIn,
        Citation(.registration, "3.2", "client_secret OPTIONAL. Client Secret."),
        why: "The client is registered for a method that it has nothing to use with, and can redeem no code.",
        reads: RegistrationSlots.successes,
        excusedBy: [noClient],
        exempt: { answer, _ in
            answer.text("token_endpoint_auth_method")?.hasPrefix("client_secret") == true
                ? nil : "the client was not registered for a method with a secret"
        },
        finding: { answer, _ in
            guard answer.text("client_secret")?.isEmpty ?? true else { return nil }
            return Finding(
                "The client was registered for \(answer.text("token_endpoint_auth_method") ?? "") and has no secret.",
                at: "/client_secret",
                expected: "a secret",
                found: answer.object?["client_secret"]?.shown ?? "missing",
                fix: "Return client_secret, or register the client with token_endpoint_auth_method none."
            )
        }
    )

    package static let secretHasExpiry = Check(
        "registration.client-secret.has-expiry",
        "A client secret comes with the time at which it expires",
        .must,
        .conformance,
        Citation(.registration, "3.2", "client_secret_expires_at REQUIRED if client_secret is issued."),
        why: "The client does not know when to register anew, and sign-in stops one day without a warning.",
        reads: RegistrationSlots.successes,
        excusedBy: [noClient],
        exempt: { answer, _ in answer.object?.has("client_secret") == true ? nil : "no secret was issued" },
        finding: { answer, _ in
            guard answer.object?.has("client_secret_expires_at") != true else { return nil }
            return Finding(
                "A client secret was issued without client_secret_expires_at.",
                at: "/client_secret_expires_at",
                expected: "0, or a time in seconds since 1970",
                found: "missing",
                fix: "Return client_secret_expires_at, with 0 for a secret that does not expire."
            )
        }
    )

    package static let expiryIsATime = Check(
        "registration.client-secret-expires-at.is-a-time",
        "client_secret_expires_at is 0 or a time to come",
        .must,
        .conformance,
        Citation(
            .registration,
            "3.2",
            "Time at which the client_secret will expire or 0 if it will not expire. Its value is a JSON number"
        ),
        why: "A client that reads it throws its secret away at once, or fails to read the answer.",
        reads: RegistrationSlots.successes,
        excusedBy: [noClient],
        exempt: { answer, _ in answer.object?.has("client_secret_expires_at") == true ? nil : "there is none" },
        finding: { answer, facts in
            let value = answer.object?["client_secret_expires_at"]
            if let number = value?.numberValue, number == 0 || number > facts.observedAt { return nil }
            return Finding(
                "client_secret_expires_at is \(value?.numberValue == nil ? "no number" : "in the past").",
                at: "/client_secret_expires_at",
                expected: "0, or a time to come in seconds since 1970",
                found: value?.shown,
                fix: "Return the number of seconds since 1970 at which the secret expires, or 0."
            )
        }
    )

    package static let managementIsWhole = Check(
        "registration.management.is-both-or-neither",
        "registration_client_uri and registration_access_token come together",
        .must,
        .conformance,
        Citation(
            .registration,
            "3.2",
            "Implementations MUST either return both a Client Configuration Endpoint and a Registration Access Token or neither of them."
        ),
        why: "The client can neither be looked up nor deleted, and stays registered for ever.",
        reads: RegistrationSlots.successes,
        excusedBy: [noClient],
        finding: { answer, _ in
            let members = ["registration_client_uri", "registration_access_token"]
            let missing = members.filter { answer.text($0)?.isEmpty ?? true }
            guard missing.count == 1, let member = missing.first else { return nil }
            return Finding(
                "The registration response has one of the two members that manage the client, and not the other.",
                at: "/" + member,
                expected: "a string",
                found: answer.object?[member]?.shown ?? "missing",
                fix: "Return both registration_client_uri and registration_access_token, or neither."
            )
        }
    )

    package static let managementUsesTLS = Check(
        "registration.management.uses-https",
        "registration_client_uri uses https",
        .must,
        .safety,
        Citation(.registration, "3.2", "This URL MUST use the https scheme."),
        why: "Anybody on the way reads the token that changes and deletes the client.",
        reads: RegistrationSlots.successes,
        excusedBy: [noClient],
        exempt: { answer, facts in
            if answer.text("registration_client_uri") == nil { return "there is none" }
            // Said of the issuer already, and for the same reason.
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
                fix: "Return the whole address of the client configuration endpoint, beginning with https://."
            )
        }
    )

    package static let all: [Check] = [
        secretIsIssued, secretHasExpiry, expiryIsATime, managementIsWhole, managementUsesTLS,
    ]
}
