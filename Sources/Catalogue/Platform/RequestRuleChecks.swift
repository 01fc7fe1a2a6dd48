package import Conformance

/// What relying platforms demand of the registration with them, and of the requests that they send.
package enum RequestRuleChecks {
    package static let providerIDIsWellFormed = RuledChecks.check(
        .providerName,
        "The name of the provider fits the platform's grammar",
        .signIn,
        why: "The platform refuses the registration.",
        reads: Documents.target,
        exempt: { target, facts in target.registration.providerID == nil ? noProviderID(facts) : nil },
        rule: { target, pattern, facts in
            guard let id = target.registration.providerID, !pattern.matches(id) else { return [] }
            let example = facts.profile.parameters.example(of: .providerName)
            return [
                Finding(
                    pattern.onlyText == nil
                        ? "The platform takes no provider called \(id.quoted)."
                        : "The platform knows the provider by another name than \(id.quoted).",
                    at: "registration.provider_id",
                    expected: pattern.onlyText ?? "a name that fits \(pattern.text)",
                    found: id.shown(),
                    fix: pattern.onlyText.map { "Use \($0): the platform has one name for this provider." }
                        ?? "Choose a name that fits \(pattern.text)\(example.map { ", such as \($0)" } ?? "")."
                )
            ]
        }
    )

    package static let redirectURIIsThePlatforms = RuledChecks.check(
        .redirectURI,
        "The redirect URI is the platform's own",
        .signIn,
        why: "The platform sends its own address in every sign-in; that the provider accepts it was not seen.",
        reads: Documents.target,
        exempt: { target, _ in target.redirectURI == nil ? "the configuration names no redirect URI" : nil },
        rule: { target, pattern, facts in
            guard let uri = target.redirectURI, !pattern.matches(uri) else { return [] }
            let example = facts.profile.parameters.example(of: .redirectURI)
            return [
                Finding(
                    "The redirect URI is not one that the platform sends.",
                    at: "redirect_uri",
                    expected: example ?? pattern.text,
                    found: uri.shown(),
                    fix: "Register the platform's redirect URI at the provider, and configure it here."
                )
            ]
        }
    )

    package static let reservedAreLeftOut = RuledChecks.check(
        .reservedParameters,
        "No custom parameter has a name that the platform keeps for itself",
        // Whether it is refused, lost or sent twice differs from platform to platform; sign-in goes on as a rule.
        .conformance,
        why: "The platform sends it itself: the custom one is refused, or is lost, or is sent beside it.",
        reads: Documents.target,
        exempt: { target, _ in
            target.customParameters.isEmpty ? "the configuration has no custom parameters" : nil
        },
        rule: { target, reserved, _ in
            target.customParameters.filter { reserved.contains($0.name) }
                .map { parameter in
                    Finding(
                        "The custom parameter \(parameter.name.quoted) is one that the platform sets itself.",
                        at: "custom_parameters.\(parameter.name.shown())",
                        expected: "no such custom parameter",
                        found: parameter.name.shown(),
                        fix: "Remove the custom parameter \(parameter.name.shown())."
                    )
                }
        }
    )

    package static let settableAreLeftOut = RuledChecks.check(
        .settableParameters,
        "No custom parameter has a name that the library has a setter for",
        // What is sent is right, and nobody is kept out who uses the setter: the application's code decides.
        .conformance,
        why: "The library refuses an additional parameter of such a name, and no request is sent.",
        reads: Documents.target,
        exempt: { target, _ in
            target.customParameters.isEmpty ? "the configuration has no custom parameters" : nil
        },
        rule: { target, names, _ in
            target.customParameters.filter { names.contains($0.name) }
                .map { parameter in
                    Finding(
                        "The custom parameter \(parameter.name.quoted) is one that the library has a setter for.",
                        at: "custom_parameters.\(parameter.name.shown())",
                        expected: "no such additional parameter in the application",
                        found: parameter.name.shown(),
                        fix:
                            "Set \(parameter.name.shown()) by the library's setter, not among the additional parameters."
                    )
                }
        }
    )

    package static let needsNoPKCE = RuledChecks.check(
        .pkceIsNotNeeded,
        "The provider does without PKCE",
        .signIn,
        why: "The platform sends no code_challenge; a provider that insists refuses every sign-in.",
        reads: platformRequests,
        excusedBy: ["platform.firebase.custom-parameters.are-accepted", "platform.firebase.request.is-accepted"],
        exempt: { subject, _ in
            subject.asked.sentParameter("code_challenge") == nil
                ? subject.isUndecided : "the request was sent with PKCE"
        },
        rule: { subject, _, facts in
            // The flows were granted with PKCE and everything else alike, so that every refusal of the signed-in user is one of
            // the missing challenge.
            guard subject.asked.scenario == Scenario.platformSignIn.id else { return subject.answer.demandsForPKCE }
            let redeemed = platformToken.samples(facts).first?.observation.value
            let refusal = redeemed.flatMap { if case .refused = $0.outcome { $0.phrase } else { nil } }
            guard let found = subject.refusal ?? refusal else { return [] }
            return [
                Finding(
                    subject.refusal == nil
                        ? "A code that was asked for without code_challenge was refused with \(found)."
                        : "The request of the signed-in user without a code_challenge was answered with \(found).",
                    at: "code_challenge",
                    expected: "tokens",
                    found: found,
                    fix: "Make PKCE optional for this client; its secret protects the code.",
                    exchange: subject.refusal == nil ? redeemed?.answer.exchange : nil
                )
            ]
        }
    )

    package static let mustBePushed = RuledChecks.check(
        .requestsArePushed,
        "An authorization request that was not pushed is refused",
        .safety,
        why: "Whoever can change the request in the browser can change what is granted.",
        reads: plainRequests,
        passesOn: .refusal,
        exempt: { subject, facts in
            if let why = subject.isUndecided { return why }
            guard let refusal = subject.refusal, !isGrantedWhenPushed(facts) else { return nil }
            return "the request was answered with \(refusal), and no pushed request was granted: that it was refused "
                + "because it was not pushed is not known"
        },
        rule: { subject, _, _ in
            guard subject.refusal == nil else { return [] }
            return [
                Finding(
                    "A request was granted, though it was not pushed.",
                    at: "request_uri",
                    expected: "an error",
                    found: subject.answer.redirect?.has("code") == true ? "a code" : "no error",
                    fix: "Set require_pushed_authorization_requests for this client."
                )
            ]
        }
    )

    package static let isClosedToScripts = RuledChecks.check(
        .authorizationIsClosedToScripts,
        "The authorization endpoint answers no scripts",
        .safety,
        why: "No client asks there by a script: whoever may read the answers can only be somebody else's page.",
        reads: scriptsAnswer,
        rule: { exchange, _, _ in
            let allowed = (exchange.response?.headers ?? [])
                .filter { $0.isNamed("access-control-allow-origin") }.map(\.value)
            // Fetch section 4.9, CORS check: several are as good as none. The provider's own pages are no other origin.
            let own = ["/", "?"].map { (allowed.first ?? "") + $0 }
            guard allowed.count == 1, !own.contains(where: exchange.request.url.hasPrefix) else { return [] }
            return [
                Finding(
                    "The authorization endpoint lets scripts of other origins read its answer.",
                    at: "Access-Control-Allow-Origin",
                    expected: "no such field",
                    found: allowed[0].shown(limit: 80),
                    fix: "Leave the authorization endpoint out where cross-origin requests (CORS) are allowed.",
                    exchange: exchange.id
                )
            ]
        }
    )

    /// Says what to add: the one name that the platform has for the provider, or one like those that people choose.
    static func noProviderID(_ facts: Facts) -> String {
        let parameters = facts.profile.parameters
        let name =
            parameters[.providerName]?.onlyText.map { ": \($0)" }
            ?? parameters.example(of: .providerName).map { ", as in \($0)" } ?? ""
        return "the configuration does not say what the provider is called there; add registration.provider_id" + name
    }

    package static let all: [Check] = [
        providerIDIsWellFormed, redirectURIIsThePlatforms, reservedAreLeftOut, settableAreLeftOut, needsNoPKCE,
        mustBePushed,
        isClosedToScripts,
    ]

    private static let platformToken = Conversations.answer(.platformSignIn)

    /// The answer to the platform's request: that of the signed-in user with what came of the code, or below the full tier
    /// that of a browser without a session.
    private static let platformRequests: Slot<AnsweredAuthorization> = {
        let (whole, alone) = (
            Conversations.authorization(.platformSignIn), Conversations.authorization(.asThePlatformSends)
        )
        return Slot(whole.name, needs: whole.needs.union(alone.needs), features: alone.features) { facts in
            let samples = whole.samples(facts)
            guard samples.contains(where: \.wasTried) else { return alone.samples(facts) }
            return samples.map { sample in
                let judged = sample.observation.flatMap { answered -> Observation<AnsweredAuthorization> in
                    guard answered.isGranted else { return .observed(answered) }
                    return platformToken.samples(facts).first?.observation.map { _ in answered }
                        ?? .absent("the code was not redeemed")
                }
                return Sample(judged, label: sample.label, exchange: sample.exchange)
            }
        }
    }()

    /// The answer of the authorization endpoint itself, and not that of a page to which it redirects.
    private static let scriptsAnswer = Conversations.authorization(.askedByAScript)
        .narrowed("answer of the authorization endpoint to a script") { sample, facts in
            let own = sample.observation.flatMap { asked -> Observation<Exchange> in
                let exchange = asked.asked.run.visits.first.flatMap { facts.evidence.exchange($0.exchange) }
                guard let exchange, let response = exchange.response else {
                    return .absent("no answer of the authorization endpoint was recorded")
                }
                // An error page of another server in front says nothing of what is allowed otherwise.
                return response.isServerError
                    ? .absent("the server failed: HTTP status \(response.status)")
                    : .observed(exchange)
            }
            return Sample(own, exchange: own.value?.id ?? sample.exchange)
        }

    /// The answers to requests that were not pushed; below the full tier that to one without a session.
    private static let plainRequests: Slot<AnsweredAuthorization> = {
        let plain = PushedRequestUseChecks.plainRequests
        let alone = Conversations.authorization(.asThePlatformSends)
        return Slot(plain.name, needs: plain.needs.union(alone.needs), features: alone.features) { facts in
            let tried = plain.samples(facts).filter(\.wasTried)
            return tried.isEmpty ? alone.samples(facts) : tried
        }
    }()

    /// What else could be wrong with a request that is refused: nothing, where the same is granted when it is pushed.
    private static func isGrantedWhenPushed(_ facts: Facts) -> Bool {
        facts.metadata.value?.has("pushed_authorization_request_endpoint") == true
            && Conversations.successes.samples(facts).contains { $0.observation.value != nil }
    }
}
