import Conformance

/// Clients whose identifier is the address of their metadata (draft-ietf-oauth-client-id-metadata-document-02).
enum ClientDocumentChecks {
    static let canSignIn = Check(
        "registration.client-document.can-sign-in",
        "Users can sign in with a client whose ID is the address of its metadata",
        .should,
        .signIn,
        Citation(
            .clientDocuments,
            "5",
            "Authorization servers SHOULD automatically fetch the Client ID Metadata Document at the Client Identifier URL to retrieve the client metadata."
        ),
        why:
            "AI hosts (MCP clients) prefer such a client ID where the provider states its support, and cannot sign users in.",
        reads: DescribedClients.runs("sign-in with a client ID metadata document", .describedClient) {
            $0.authorization
        },
        exempt: RegisteredClientChecks.unlessFlowsWork,
        finding: { run, _ in
            if let refusal = RegisteredClientChecks.refusal(by: run.authorization.value) { return failure(refusal) }
            guard case .observed(let answer) = run.token, answer.accessToken == nil else { return nil }
            return failure("the token endpoint issues no access token without a secret")
        }
    )

    static let portMayVary = Check(
        "registration.client-document.loopback-port-may-vary",
        "The provider accepts any port in a loopback redirect URI of a client's metadata",
        // Section 4.2 of the draft requires an exact match, and this section any port.
        .risk,
        .signIn,
        Citation(
            .rfc8252,
            "7.3",
            "The authorization server MUST allow any port to be specified at the time of the request for loopback IP redirect URIs"
        ),
        why: "A host listens at a free port, which its published metadata cannot name, and its users cannot sign in.",
        reads: DescribedClients.runs("request with another port", .describedClient) { $0.authorization(.otherPort) },
        supersededBy: ["registration.client-document.can-sign-in"],
        exempt: { run, facts in
            run.authorization.value?.redirect?.isGrant == true
                ? RegisteredClientChecks.unlessFlowsWork(run, facts)
                : "the redirect URI with its registered port was not granted"
        },
        finding: { run, _ in
            let answer = run.authorization(.otherPort).value
            return RegisteredClientChecks.refusal(by: answer)
                .map { what in
                    Finding(
                        "The provider compares the port of a loopback redirect URI with the client's metadata: \(what).",
                        at: "redirect_uri",
                        expected: "a code, whatever the port",
                        found: what,
                        fix:
                            "Ignore the port when you compare redirect URIs at a loopback address (RFC 8252 section 7.3).",
                        exchange: answer?.exchange
                    )
                }
        }
    )

    static let mismatchIsRefused = Check(
        "registration.client-document.mismatch-is-refused",
        "The provider rejects metadata with the client_id of another client",
        .must,
        .safety,
        Citation(
            .clientDocuments,
            "4",
            "The Client ID Metadata Document MUST contain a client_id property whose value MUST match the Client Identifier URL"
        ),
        why: "An attacker who can place a JSON file on a trusted site can pose as a client of that site.",
        reads: DescribedClients.runs(
            "request for a client with the metadata of another one",
            .misdescribedClient,
            needing: [.probe(Scenario.describedClient.id)]
        ) { $0.authorization },
        passesOn: .refusal,
        exempt: { _, facts in
            facts.evidence.run(Scenario.describedClient.id)?.authorization.value?.redirect?.isGrant == true
                ? nil : "a client that publishes its own metadata was not granted a request"
        },
        finding: { run, _ in
            guard let answer = run.authorization.value, answer.redirect?.isGrant == true else { return nil }
            return Finding(
                "The provider accepts a client ID whose metadata has the client_id of another client.",
                at: "/client_id",
                expected: "an error page",
                found: "a code",
                fix:
                    "Compare client_id in the fetched document with the address that you fetched, character by character.",
                exchange: answer.exchange
            )
        }
    )

    static let all: [Check] = [canSignIn, portMayVary, mismatchIsRefused]

    private static func failure(_ what: String) -> Finding {
        Finding(
            "Users cannot sign in with a client whose ID is the address of its metadata: \(what).",
            at: "client_id",
            expected: "a code, and tokens for it",
            found: what,
            fix: "Fetch the metadata from client_id, and accept its redirect_uris and the method none; or set "
                + "\(Scenario.describedClientSupport) to false."
        )
    }
}
