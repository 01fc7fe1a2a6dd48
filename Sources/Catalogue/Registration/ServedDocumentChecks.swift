package import Conformance
import JSONTree

/// Documents of a client that the provider has to fetch: its sector, its keys, its request objects.
///
/// A provider that fetched nothing proves nothing by a refusal: it may not reach this machine, or take https alone, which it
/// may.
package enum ServedDocumentChecks {
    // MARK: Sectors

    package static let sectorIsAccepted = Check(
        "registration.sector-identifier-uri.matching-is-accepted",
        "A client whose redirect URIs stand in its sector's document is registered",
        .must,
        .conformance,
        Citation(
            .registration,
            "2",
            "URL using the https scheme to be used in calculating Pseudonymous Identifiers by the OP."
        ),
        why: "A company with several sites cannot register them for one pairwise sub.",
        reads: fetched(.sector, Registrations.answer(.sectorClient)),
        excusedBy: ["registration.client.is-accepted", "registration.advertised-values.can-be-registered"],
        exempt: { _, facts in
            let isPairwise = facts.evidence.run(Scenario.pairwiseClient.id)?.registeredAs("subject_type") == "pairwise"
            return isPairwise ? nil : "no pairwise client is registered without a sector either"
        },
        finding: { answer, _ in
            guard !answer.isSuccess, !answer.isOfAnotherTime else { return nil }
            return Finding(
                "The document at sector_identifier_uri was fetched, and the client was not registered though it holds "
                    + "the client's redirect URI.",
                at: "/sector_identifier_uri",
                expected: "HTTP status 201",
                found: answer.phrase,
                fix: "Register clients whose redirect_uris all stand in the JSON array at sector_identifier_uri."
            )
        }
    )

    package static let foreignSectorIsRefused = Check(
        "registration.sector-identifier-uri.mismatch-is-refused",
        "A client whose redirect URI is missing from its sector's document is refused",
        .must,
        .safety,
        Citation(
            .registration,
            "5",
            "The values registered in redirect_uris MUST be included in the elements of the array, or registration MUST fail."
        ),
        why: "Anybody can put a client into the sector of a company, and learn by the same sub what people do there.",
        reads: foreignSector,
        passesOn: .refusal,
        finding: { answer, _ in
            guard answer.isSuccess, answer.text("sector_identifier_uri") != nil else { return nil }
            return answer.accepted(
                "A client was registered in a sector whose document does not name its redirect URI.",
                at: "sector_identifier_uri",
                expected: "HTTP status 400 and error invalid_client_metadata",
                fix:
                    "Fetch sector_identifier_uri at registration, and refuse unless every redirect URI is in its array."
            )
        }
    )

    package static let sectorHasOneSubject = Check(
        "registration.sector-identifier-uri.gives-one-sub",
        "Two pairwise clients of one sector get the same sub",
        .should,
        .conformance,
        Citation(
            .registration,
            "2",
            "Providers that use pairwise sub (subject) values SHOULD utilize the sector_identifier_uri value provided in the Subject Identifier calculation for pairwise identifiers."
        ),
        why: "The sites of one company take one person for two, and an account that moves to another site is lost.",
        reads: Registrations.asRegistered(
            "subjects of two pairwise clients of one sector",
            "sector_identifier_uri",
            [.sectorElsewhere],
            needing: [.keys, .probe(Scenario.sectorClient.id), .probe(Scenario.pairwiseClient.id)]
        ) { run, facts -> Observation<RegisteredTokens.Two> in
            guard let other = facts.evidence.run(Scenario.sectorClient.id),
                other.registeredAs("subject_type") == "pairwise", other.registeredAs("sector_identifier_uri") != nil
            else { return .notAttempted("no other client could be registered in the same sector") }
            return RegisteredTokens.subject(run, facts)
                .flatMap { own in
                    RegisteredTokens.subject(other, facts).map { RegisteredTokens.Two(first: own, second: $0) }
                }
        },
        excusedBy: ["idtoken.pairwise-sub.is-stable"],
        finding: { subject, _ in
            guard subject.value.first != subject.value.second else { return nil }
            return Finding(
                "One person has two pairwise subjects at two clients whose sector_identifier_uri is at one host.",
                at: "/sub",
                expected: subject.value.second.shown(),
                found: subject.value.first.shown(),
                fix:
                    "Calculate sub from the host of sector_identifier_uri where a client has one, and from the host of its "
                    + "redirect URI only where it has none (Core section 8.1)."
            )
        }
    )

    // MARK: Keys

    package static let keysAreUsed = Check(
        "registration.jwks-uri.keys-are-used",
        "A client is let in by a key at its jwks_uri",
        .must,
        .signIn,
        Citation(
            .registration,
            "2",
            "it contains the signing key(s) the Server uses to validate signatures from the Client"
        ),
        why: "A client that publishes its keys, as one must that changes them, can redeem no code.",
        reads: withServedKeys(.token),
        excusedBy: ["token.private-key-jwt.is-accepted"],
        exempt: { subject, _ in
            subject.fetches(.keys) == 0 && !subject.value.isAcceptance
                ? "the provider fetched nothing from this machine: it may not reach it, or take https alone" : nil
        },
        finding: { subject, _ in
            guard !subject.value.isAcceptance else { return nil }
            return Finding(
                "The client's keys were fetched at its jwks_uri, and an assertion by one of them was refused.",
                at: "client_assertion",
                expected: "tokens",
                found: subject.value.phrase,
                fix: "Verify a client's assertions with the keys at the jwks_uri that it registered."
            )
        }
    )

    package static let newKeyIsFetched = Check(
        "registration.jwks-uri.new-key-is-fetched",
        "A client is let in by a key that it published a moment before",
        // The sentence describes what a verifier knows to do.
        .risk,
        .signIn,
        Citation(
            .core,
            "10.1.1",
            "The verifier knows to go back to the jwks_uri location to re-retrieve the keys when it sees an unfamiliar kid value."
        ),
        why: "After a client has changed its key, nobody can sign in there until the provider forgets the old set.",
        reads: withServedKeys(.refresh, .newKey),
        excusedBy: ["registration.jwks-uri.keys-are-used", "token.private-key-jwt.is-accepted"],
        exempt: { subject, facts in
            if subject.run.token.value?.accessToken == nil {
                return "the client was not let in by its first key either"
            }
            return subject.value.asked.step.id == .refresh ? nil : AuthenticationOrder.whyUnknown(facts)
        },
        finding: { subject, _ in
            guard !subject.value.isAcceptance else { return nil }
            return Finding(
                "An assertion by a key that had just been added to the client's jwks_uri was refused; the key before it "
                    + "had been taken.",
                at: "client_assertion",
                expected: subject.value.asked.step.id == .refresh
                    ? "new tokens for the client's refresh token"
                    : "the client let in, and error invalid_grant for the made-up code",
                found: subject.value.phrase + (subject.fetches(.keys) < 2 ? "; the keys were fetched once only" : ""),
                fix:
                    "Fetch the client's jwks_uri again when an assertion names a kid that is not known, at most every few "
                    + "seconds."
            )
        }
    )

    // MARK: Request objects

    package static let requestObjectIsUsed = Check(
        "registration.request-uris.objects-are-used",
        "A request object at a registered request_uri is used",
        .must,
        .safety,
        Citation(
            .core,
            "6.2.3",
            "Upon receipt of the Request, the Authorization Server MUST send an HTTP GET request to the request_uri to retrieve the referenced Request Object, unless it is already cached, and parse it to recreate the Authorization Request parameters."
        ),
        why: "What the application signed is not what is granted: whoever leads the browser astray writes the request.",
        reads: requestObjects(.authorization),
        excusedBy: [
            "authorization.request-uri.is-not-ignored", "authorization.request-uri.supported-is-taken",
            "authorization.state.is-echoed", "registration.client.can-sign-in",
        ],
        exempt: { subject, facts in
            if subject.value.redirect?.error == "request_uri_not_supported" {
                return "the provider says that it takes no request_uri"
            }
            guard subject.fetches(.requestObject) == 0, subject.value.redirect?.isGrant != true else { return nil }
            return "the provider fetched nothing from this machine: it may not reach it, or take https alone"
        },
        finding: { subject, _ in
            let redirect = subject.value.redirect
            if redirect?.grantsObject(of: subject.run, .authorization) == true { return nil }
            let what = redirect.whatItLedTo
            return Finding(
                "A signed request object at a registered request_uri led to \(what).",
                at: "request_uri",
                expected: "a code, with the state of the request object",
                found: what,
                fix:
                    "Fetch the object, verify it with the client's keys, and let its values supersede those of the query."
            )
        }
    )

    package static let unsignedObjectIsUsed = Check(
        "registration.request-uris.unsigned-objects-are-used",
        "An unsigned request object at a registered request_uri is used where none is listed",
        // Inferred: the list promises it.
        .must,
        .conformance,
        Citation(
            .discovery,
            "3",
            "a list of the JWS signing algorithms (alg values) supported by the OP for Request Objects"
        ),
        why: "An application that has no key, and trusts the list, cannot hand over its requests.",
        reads: requestObjects(.unsigned),
        excusedBy: ["registration.request-uris.objects-are-used"],
        exempt: { subject, _ in
            subject.isGrantedSigned ? nil : "a signed request object at a registered request_uri leads nowhere either"
        },
        finding: { subject, _ in
            let redirect = subject.value.redirect
            if redirect?.grantsObject(of: subject.run, .unsigned) == true { return nil }
            let what = redirect.whatItLedTo
            return Finding(
                "An unsigned request object at a registered request_uri led to \(what); a signed one was taken.",
                at: "request_uri",
                expected: "a code, with the state of the request object",
                found: what,
                fix: "Take none out of request_object_signing_alg_values_supported, or take unsigned request objects."
            )
        }
    )

    package static let unregisteredIsRefused = Check(
        "registration.request-uris.others-are-refused",
        "A request_uri that is not registered is refused where registration is required",
        .must,
        .safety,
        Citation(.discovery, "3", "Pre-registration is REQUIRED when the value is true."),
        why: "Anybody can have the provider fetch any address, those behind its firewall too.",
        reads: requestObjects(.unregisteredURI),
        passesOn: .refusal,
        exempt: { subject, _ in
            subject.isGrantedSigned ? nil : "a registered request_uri leads nowhere either"
        },
        finding: { subject, _ in
            guard subject.value.redirect?.grantsObject(of: subject.run, .unregisteredURI) == true else { return nil }
            return Finding(
                "require_request_uri_registration is true, and a request_uri that the client never registered was taken.",
                at: "request_uri",
                expected: "the error invalid_request_uri, or an error page",
                found: "a grant",
                fix: "Compare request_uri with the client's registered request_uris before anything is fetched."
            )
        }
    )

    package static let all: [Check] = [
        sectorIsAccepted, foreignSectorIsRefused, sectorHasOneSubject, keysAreUsed, newKeyIsFetched,
        requestObjectIsUsed, unsignedObjectIsUsed, unregisteredIsRefused,
    ]

    // MARK: Slots

    /// Answers to registrations whose document was fetched, or that were accepted.
    private static func fetched(
        _ document: ClientDocument,
        _ slot: Slot<AnsweredRegistration>
    ) -> Slot<AnsweredRegistration> {
        slot.narrowed(slot.name, needing: [.probe(Scenario.pairwiseClient.id)]) { sample, _ in
            guard let answer = sample.observation.value, !answer.isSuccess, answer.run.fetches?[document] == nil else {
                return sample
            }
            let why = "the provider refused it and fetched nothing: it may not reach this machine, or take https alone"
            return Sample(.notAttempted(why), label: sample.label, exchange: sample.exchange)
        }
    }

    /// A refusal proves nothing where a client in its own sector is refused as well.
    private static let foreignSector = RegistrationSlots.wrong(.outsideItsSector, twin: .sectorClient)

    /// - Parameter steps: The first of them that was answered is read.
    private static func withServedKeys(_ steps: StepID...) -> Slot<AsRegistered<AnsweredCall>> {
        Registrations.asRegistered(
            "answer to an assertion by a key at the client's jwks_uri",
            "jwks_uri",
            [.servedKeysClient],
            needing: AuthenticationOrder.needs
        ) { run, facts in
            let answers = steps.map { Registrations.answer(run, $0, facts) }
            return answers.first { $0.value != nil } ?? answers.last ?? .notAttempted("nothing was asked")
        }
    }

    private static func requestObjects(_ step: StepID) -> Slot<AsRegistered<AuthorizationAnswer>> {
        Registrations.asRegistered(
            "answer to a request by a request_uri that this machine serves",
            "request_uris",
            [.requestURIClient],
            needing: []
        ) { run, _ in run.authorization(step) }
    }
}

extension AsRegistered {
    /// How many times the provider fetched a document of the client.
    fileprivate func fetches(_ document: ClientDocument) -> Int { run.fetches?[document] ?? 0 }

    /// Whether the signed request object at a registered address was granted.
    fileprivate var isGrantedSigned: Bool {
        run.authorization.value?.redirect?.grantsObject(of: run, .authorization) == true
    }
}

extension RedirectAnswer? {
    /// What a request object led to that was not granted.
    fileprivate var whatItLedTo: String {
        guard let self else { return "a page" }
        return self.error.map { "the error \($0.quoted)" } ?? "an answer to what stood beside it"
    }
}

extension RedirectAnswer {
    /// Whether it grants what stood in the request object of a step, by the `state` that stood there alone.
    fileprivate func grantsObject(of run: ScenarioRun, _ step: StepID) -> Bool {
        let state = run[step]?.sentParameter("state") ?? ""
        return isRedirectURI && !has("error") && isGrant
            && values("state").contains(state + AuthorizationRequest.objectStateSuffix)
    }
}

extension AnsweredRegistration {
    /// Whether it asks for another time, or is about who registers, and not about what.
    fileprivate var isOfAnotherTime: Bool { isClosed }
}
