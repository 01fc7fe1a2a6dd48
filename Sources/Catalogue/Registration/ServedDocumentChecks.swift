package import Conformance

/// Documents of a client that the provider has to fetch: its sector identifier, keys and request objects.
///
/// If the provider fetched nothing, a rejection proves nothing: it may be unable to reach this machine, or accept only
/// https, which is allowed.
package enum ServedDocumentChecks {
    // MARK: Sectors

    static let sectorIsAccepted = Check(
        "registration.sector-identifier-uri.matching-is-accepted",
        "The provider registers a client whose sector document contains its redirect URIs",
        .must,
        .conformance,
        Citation(
            .registration,
            "2",
            "URL using the https scheme to be used in calculating Pseudonymous Identifiers by the OP."
        ),
        why: "A company with several sites cannot register them for a common pairwise sub.",
        reads: fetched(.sector, Registrations.answer(.sectorClient)),
        supersededBy: ["registration.client.is-accepted", "registration.advertised-values.can-be-registered"],
        exempt: { _, facts in
            let isPairwise = facts.evidence.run(Scenario.pairwiseClient.id)?.registeredAs("subject_type") == "pairwise"
            return isPairwise ? nil : "the provider does not register a pairwise client without a sector either"
        },
        finding: { answer, _ in
            guard !answer.isSuccess, !answer.isOfAnotherTime else { return nil }
            return Finding(
                "The provider fetches the document at sector_identifier_uri but rejects the client, "
                    + "although the document contains its redirect URI.",
                at: "/sector_identifier_uri",
                expected: "HTTP status 201",
                found: answer.phrase,
                fix: "Register a client if the JSON array at sector_identifier_uri contains all its redirect_uris."
            )
        }
    )

    static let foreignSectorIsRefused = Check(
        "registration.sector-identifier-uri.mismatch-is-refused",
        "The provider rejects a client whose redirect URI is missing from its sector document",
        .must,
        .safety,
        Citation(
            .registration,
            "5",
            "The values registered in redirect_uris MUST be included in the elements of the array, or registration MUST fail."
        ),
        why: "An attacker can register a client in a company's sector and link its users by their sub.",
        reads: foreignSector,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, answer.text("sector_identifier_uri") != nil else { return nil }
            return answer.accepted(
                "The provider registers a client in a sector whose document does not contain its redirect URI.",
                at: "sector_identifier_uri",
                expected: "HTTP status 400 and error invalid_client_metadata",
                fix:
                    "Fetch sector_identifier_uri at registration, and reject the client unless every redirect URI is in its array."
            )
        }
    )

    static let sectorHasOneSubject = Check(
        "registration.sector-identifier-uri.gives-one-sub",
        "Two pairwise clients of one sector receive the same sub",
        .should,
        .conformance,
        Citation(
            .registration,
            "2",
            "Providers that use pairwise sub (subject) values SHOULD utilize the sector_identifier_uri value provided in the Subject Identifier calculation for pairwise identifiers."
        ),
        why: "The sites of one company treat one user as two, and cannot move accounts between sites.",
        reads: Registrations.asRegistered(
            "subjects of two pairwise clients of one sector",
            "sector_identifier_uri",
            [.sectorElsewhere],
            needing: [.keys, .probe(Scenario.sectorClient.id), .probe(Scenario.pairwiseClient.id)]
        ) { run, facts -> Observation<RegisteredTokens.ComparedValues> in
            guard let other = facts.evidence.run(Scenario.sectorClient.id),
                other.registeredAs("subject_type") == "pairwise", other.registeredAs("sector_identifier_uri") != nil
            else { return .notAttempted("no other client could be registered in the same sector") }
            return RegisteredTokens.subject(run, facts)
                .flatMap { own in
                    RegisteredTokens.subject(other, facts)
                        .map { RegisteredTokens.ComparedValues(first: own, second: $0) }
                }
        },
        supersededBy: ["idtoken.pairwise-sub.is-stable"],
        finding: { subject, _ in
            guard subject.value.first != subject.value.second else { return nil }
            return Finding(
                "A user has two pairwise values of sub at two clients whose sector_identifier_uri has the same host.",
                at: "/sub",
                expected: subject.value.second.shown(),
                found: subject.value.first.shown(),
                fix:
                    "Derive sub from the host of sector_identifier_uri if a client has one, and otherwise from the host of "
                    + "its redirect URI (Core section 8.1)."
            )
        }
    )

    // MARK: Keys

    static let keysAreUsed = Check(
        "registration.jwks-uri.keys-are-used",
        "The token endpoint accepts an assertion that is signed with a key at the client's jwks_uri",
        .must,
        .signIn,
        Citation(
            .registration,
            "2",
            "it contains the signing key(s) the Server uses to validate signatures from the Client"
        ),
        why: "A client that publishes its keys at jwks_uri, so that it can rotate them, cannot redeem a code.",
        reads: withServedKeys(.token),
        supersededBy: ["token.private-key-jwt.is-accepted"],
        exempt: { subject, _ in
            subject.fetches(.keys) == 0 && !subject.value.isAcceptance
                ? "the provider fetched nothing from this machine; it may be unable to reach it, or accept only https"
                : nil
        },
        finding: { subject, _ in
            guard !subject.value.isAcceptance else { return nil }
            return Finding(
                "The provider fetches the keys at the client's jwks_uri but rejects an assertion signed with one of them.",
                at: "client_assertion",
                expected: "tokens",
                found: subject.value.phrase,
                fix: "Verify a client's assertions with the keys at its registered jwks_uri."
            )
        }
    )

    static let newKeyIsFetched = Check(
        "registration.jwks-uri.new-key-is-fetched",
        "The token endpoint accepts an assertion that is signed with a newly published key",
        // The sentence describes the verifier's behaviour without a MUST.
        .risk,
        .signIn,
        Citation(
            .core,
            "10.1.1",
            "The verifier knows to go back to the jwks_uri location to re-retrieve the keys when it sees an unfamiliar kid value."
        ),
        why: "After a client rotates its key, its users cannot sign in until the provider's cache expires.",
        reads: withServedKeys(.refresh, .newKey),
        supersededBy: ["registration.jwks-uri.keys-are-used", "token.private-key-jwt.is-accepted"],
        exempt: { subject, facts in
            if subject.run.token.value?.accessToken == nil {
                return "the token endpoint did not accept the client's first key either"
            }
            return subject.value.asked.step.id == .refresh ? nil : AuthenticationOrder.whyUnknown(facts)
        },
        finding: { subject, _ in
            guard !subject.value.isAcceptance else { return nil }
            return Finding(
                "The provider rejects an assertion signed with a key that was just added to the client's jwks_uri; "
                    + "it accepted the previous key.",
                at: "client_assertion",
                expected: subject.value.asked.step.id == .refresh
                    ? "new tokens for the refresh token"
                    : "the client accepted, and the error invalid_grant for the bogus code",
                found: subject.value.phrase + (subject.fetches(.keys) < 2 ? "; the keys were fetched only once" : ""),
                fix: "Fetch the client's jwks_uri again if an assertion has an unknown kid, at most once every few "
                    + "seconds."
            )
        }
    )

    // MARK: Request objects

    static let requestObjectIsUsed = Check(
        "registration.request-uris.objects-are-used",
        "The provider uses a request object at a registered request_uri",
        .must,
        .safety,
        Citation(
            .core,
            "6.2.3",
            "Upon receipt of the Request, the Authorization Server MUST send an HTTP GET request to the request_uri to retrieve the referenced Request Object, unless it is already cached, and parse it to recreate the Authorization Request parameters."
        ),
        why: "The provider ignores the signed request, so an attacker can change its parameters in the browser.",
        reads: requestObjects(.authorization),
        supersededBy: [
            "authorization.request-uri.is-not-ignored", "authorization.request-uri.supported-is-taken",
            "authorization.state.is-echoed", "registration.client.can-sign-in",
        ],
        exempt: { subject, facts in
            if subject.value.redirect?.error == "request_uri_not_supported" {
                return "the provider states that it does not support request_uri"
            }
            guard subject.fetches(.requestObject) == 0, subject.value.redirect?.isGrant != true else { return nil }
            return "the provider fetched nothing from this machine; it may be unable to reach it, or accept only https"
        },
        finding: { subject, _ in
            let redirect = subject.value.redirect
            if redirect?.grantsObject(of: subject.run, .authorization) == true { return nil }
            let what = redirect.whatItLedTo
            return Finding(
                "A signed request object at a registered request_uri leads to \(what).",
                at: "request_uri",
                expected: "a code, with the state of the request object",
                found: what,
                fix:
                    "Fetch the request object, verify it with the client's keys, and let its values override those of the query."
            )
        }
    )

    static let unsignedObjectIsUsed = Check(
        "registration.request-uris.unsigned-objects-are-used",
        "The provider uses an unsigned request object at a registered request_uri if it lists none",
        // Inferred: the list promises it.
        .must,
        .conformance,
        Citation(
            .discovery,
            "3",
            "a list of the JWS signing algorithms (alg values) supported by the OP for Request Objects"
        ),
        why: "An application without a key that relies on the list cannot send request objects.",
        reads: requestObjects(.unsigned),
        supersededBy: ["registration.request-uris.objects-are-used"],
        exempt: { subject, _ in
            subject.isGrantedSigned ? nil : "a signed request object at a registered request_uri was not granted"
        },
        finding: { subject, _ in
            let redirect = subject.value.redirect
            if redirect?.grantsObject(of: subject.run, .unsigned) == true { return nil }
            let what = redirect.whatItLedTo
            return Finding(
                "An unsigned request object at a registered request_uri leads to \(what); the provider accepts a signed one.",
                at: "request_uri",
                expected: "a code, with the state of the request object",
                found: what,
                fix: "Remove none from request_object_signing_alg_values_supported, or accept unsigned request objects."
            )
        }
    )

    static let unregisteredIsRefused = Check(
        "registration.request-uris.others-are-refused",
        "The provider rejects an unregistered request_uri if it requires registration",
        .must,
        .safety,
        Citation(.discovery, "3", "Pre-registration is REQUIRED when the value is true."),
        why: "An attacker can make the provider fetch any address, including those behind its firewall.",
        reads: requestObjects(.unregisteredURI),
        passesOn: .refusal,
        exempt: { subject, _ in subject.isGrantedSigned ? nil : "a registered request_uri was not granted" },
        finding: { subject, _ in
            guard subject.value.redirect?.grantsObject(of: subject.run, .unregisteredURI) == true else { return nil }
            return Finding(
                "The provider accepts an unregistered request_uri although require_request_uri_registration is true.",
                at: "request_uri",
                expected: "error invalid_request_uri, or an error page",
                found: "a successful authorization response",
                fix:
                    "Compare request_uri with the client's request_uris, and reject it before fetching if it is not registered."
            )
        }
    )

    package static let all: [Check] = [
        sectorIsAccepted, foreignSectorIsRefused, sectorHasOneSubject, keysAreUsed, newKeyIsFetched,
        requestObjectIsUsed, unsignedObjectIsUsed, unregisteredIsRefused,
    ]

    // MARK: Queries

    /// Responses to registrations whose document was fetched, or that were accepted.
    private static func fetched(
        _ document: ClientDocument,
        _ query: Query<RegistrationResult>
    ) -> Query<RegistrationResult> {
        query.narrowed(query.name, needing: [.probe(Scenario.pairwiseClient.id)]) { sample, _ in
            guard let answer = sample.observation.value, !answer.isSuccess, answer.run.fetches?[document] == nil else {
                return sample
            }
            let why =
                "the provider rejected it and fetched nothing; it may be unable to reach this machine, or accept only https"
            return Sample(.notAttempted(why), label: sample.label, exchange: sample.exchange)
        }
    }

    /// A rejection proves nothing if the provider also rejects a client in its own sector.
    private static let foreignSector = RegistrationQueries.wrong(.outsideItsSector, baseline: .sectorClient)

    /// - Parameter steps: The first step with a response is read.
    private static func withServedKeys(_ steps: StepID...) -> Query<RegisteredResponse<CallResult>> {
        Registrations.asRegistered(
            "response to an assertion by a key at the client's jwks_uri",
            "jwks_uri",
            [.servedKeysClient],
            needing: AuthenticationOrder.needs
        ) { run, facts in
            let answers = steps.map { Registrations.answer(run, $0, facts) }
            return answers.first { $0.value != nil } ?? answers.last ?? .notAttempted("no request was sent")
        }
    }

    private static func requestObjects(_ step: StepID) -> Query<RegisteredResponse<AuthorizationAnswer>> {
        Registrations.asRegistered(
            "response to a request by a request_uri that this machine serves",
            "request_uris",
            [.requestURIClient],
            needing: []
        ) { run, _ in run.authorization(step) }
    }
}

extension RegisteredResponse {
    /// How many times the provider fetched a document of the client.
    fileprivate func fetches(_ document: ClientDocument) -> Int { run.fetches?[document] ?? 0 }

    /// Whether the signed request object at a registered address was granted.
    fileprivate var isGrantedSigned: Bool {
        run.authorization.value?.redirect?.grantsObject(of: run, .authorization) == true
    }
}

extension RedirectAnswer? {
    /// The outcome of a request object that was not granted.
    fileprivate var whatItLedTo: String {
        guard let self else { return "a page" }
        return self.error.map { "the error \($0.quoted)" } ?? "a response to the query parameters"
    }
}

extension RedirectAnswer {
    /// Whether it grants the request object of a step, shown by the `state` that only the object contains.
    fileprivate func grantsObject(of run: ScenarioRun, _ step: StepID) -> Bool {
        let state = run[step]?.sentParameter("state") ?? ""
        return isRedirectURI && !has("error") && isGrant
            && values("state").contains(state + AuthorizationRequest.objectStateSuffix)
    }
}

extension RegistrationResult {
    /// Whether the rejection is about the sender or the time of the request, and not about the metadata.
    fileprivate var isOfAnotherTime: Bool { isClosed }
}
