package import Conformance

/// Platform rules about the registration with the platform and about its requests.
package enum RequestRuleChecks {
    static let providerIDIsWellFormed = RuledChecks.check(
        .providerName,
        "The provider ID matches the platform's pattern",
        .signIn,
        why: "The platform rejects the registration.",
        reads: Documents.target,
        exempt: { target, facts in target.registration.providerID == nil ? noProviderID(facts) : nil },
        rule: { target, pattern, facts in
            guard let id = target.registration.providerID, !pattern.matches(id) else { return [] }
            let example = facts.profile.parameters.example(of: .providerName)
            return [
                Finding(
                    pattern.onlyText == nil
                        ? "The platform does not accept the provider ID \(id.quoted)."
                        : "The platform uses another provider ID than \(id.quoted).",
                    at: "registration.provider_id",
                    expected: pattern.onlyText ?? "a provider ID that matches \(pattern.text)",
                    found: id.shown(),
                    fix: pattern.onlyText.map {
                        "Set registration.provider_id to \($0), the platform's only ID for this provider."
                    } ?? "Choose a provider ID that matches \(pattern.text)\(example.map { ", such as \($0)" } ?? "")."
                )
            ]
        }
    )

    static let redirectURIIsThePlatforms = RuledChecks.check(
        .redirectURI,
        "The redirect URI is that of the platform",
        .signIn,
        why:
            "The platform sends its own redirect URI in every sign-in, and the run does not test whether the provider accepts it.",
        reads: Documents.target,
        exempt: { target, _ in target.redirectURI == nil ? "the configuration names no redirect URI" : nil },
        rule: { target, pattern, facts in
            guard let uri = target.redirectURI, !pattern.matches(uri) else { return [] }
            let example = facts.profile.parameters.example(of: .redirectURI)
            return [
                Finding(
                    "The configured redirect URI is not one that the platform sends.",
                    at: "redirect_uri",
                    expected: example ?? pattern.text,
                    found: uri.shown(),
                    fix: "Register the platform's redirect URI at the provider, and set redirect_uri to it."
                )
            ]
        }
    )

    static let reservedAreLeftOut = RuledChecks.check(
        .reservedParameters,
        "No custom parameter has a name that the platform reserves",
        // Platforms reject, drop or duplicate such a parameter; sign-in usually still works.
        .conformance,
        why: "The platform sends this parameter itself, and rejects, drops or duplicates the custom one.",
        reads: Documents.target,
        exempt: { target, _ in target.customParameters.isEmpty ? "the configuration has no custom parameters" : nil },
        rule: { target, reserved, _ in
            target.customParameters.filter { reserved.contains($0.name) }
                .map { parameter in
                    Finding(
                        "The configuration has the custom parameter \(parameter.name.quoted), which the platform sets itself.",
                        at: "custom_parameters.\(parameter.name.shown())",
                        expected: "no such custom parameter",
                        found: parameter.name.shown(),
                        fix: "Remove the custom parameter \(parameter.name.shown())."
                    )
                }
        }
    )

    static let settableAreLeftOut = RuledChecks.check(
        .settableParameters,
        "No custom parameter has a name for which the library has a setter",
        // The request is valid, and sign-in works with the setter: it depends on the application's code.
        .conformance,
        why: "The library rejects an additional parameter with such a name, and sends no request.",
        reads: Documents.target,
        exempt: { target, _ in target.customParameters.isEmpty ? "the configuration has no custom parameters" : nil },
        rule: { target, names, _ in
            target.customParameters.filter { names.contains($0.name) }
                .map { parameter in
                    Finding(
                        "The configuration has the custom parameter \(parameter.name.quoted), for which the library has a setter.",
                        at: "custom_parameters.\(parameter.name.shown())",
                        expected: "no such additional parameter in the application",
                        found: parameter.name.shown(),
                        fix: "Set \(parameter.name.shown()) with the library's setter, not as an additional parameter."
                    )
                }
        }
    )

    static let needsNoPKCE = withoutPKCE(
        .pkceIsNotNeeded,
        "The provider does not require PKCE",
        why: "The platform sends no code_challenge, and a provider that requires one rejects every sign-in.",
        fix: "Make PKCE optional for this client; its secret protects the code."
    )

    static let needsNoUnlistedPKCE = withoutPKCE(
        .pkceIsListed,
        "A provider that requires PKCE lists S256 in its discovery document",
        why: "The platform sends a code_challenge only if the document lists S256, so every sign-in is rejected.",
        fix: "Set code_challenge_methods_supported: [\"S256\"] in the discovery document."
    )

    private static func withoutPKCE(_ rule: Rule<NoValue>, _ title: String, why: String, fix: String) -> Check {
        RuledChecks.check(
            rule,
            title,
            .signIn,
            why: why,
            reads: platformRequests,
            supersededBy: ["platform.firebase.custom-parameters.are-accepted", "platform.firebase.request.is-accepted"]
                + (rule.name == Rule.pkceIsListed.name ? [] : [Rule.pkceIsListed.check]),
            exempt: { subject, facts in
                if rule.name == Rule.pkceIsListed.name,
                    facts.metadata.value?.strings("code_challenge_methods_supported")?.contains("S256") == true
                {
                    return "the document lists S256, so the platform sends a code_challenge"
                }
                return subject.asked.sentParameter("code_challenge") == nil
                    ? subject.isInconclusive : "the request was sent with PKCE"
            },
            rule: { subject, _, facts in
                // The same flows were granted with PKCE, so every rejection of the signed-in user is due to the missing
                // code_challenge.
                guard subject.asked.scenario == Scenario.platformSignIn.id else { return subject.answer.demandsForPKCE }
                let redeemed = platformToken.samples(facts).first?.observation.value
                let refusal = redeemed.flatMap { if case .refused = $0.outcome { $0.phrase } else { nil } }
                guard let found = subject.refusal ?? refusal else { return [] }
                return [
                    Finding(
                        subject.refusal == nil
                            ? "For a code from a request without code_challenge, the token endpoint returns \(found)."
                            : "For the signed-in user's request without code_challenge, the authorization endpoint returns \(found).",
                        at: "code_challenge",
                        expected: "tokens",
                        found: found,
                        fix: fix,
                        exchange: subject.refusal == nil ? redeemed?.answer.exchange : nil
                    )
                ]
            }
        )
    }

    static let namesAResource = RuledChecks.check(
        .resourceIsNamed,
        "The run requests tokens for a resource, as the platform does",
        .signIn,
        why: "A provider that rejects the parameter resource rejects every sign-in of the platform.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? "the configuration has no client" : nil },
        rule: { target, _, _ in
            if let resource = target.resource {
                let isSecure = resource.lowercased().hasPrefix("https://") || Target.isLoopback(resource)
                return isSecure
                    ? []
                    : [
                        Finding(
                            "The resource of the configuration is not an https URL, so the platform cannot call it safely.",
                            at: "resource",
                            expected: "an https URL",
                            found: resource.shown(),
                            fix: "Serve the resource over https, and set resource to that URL."
                        )
                    ]
            }
            return [
                Finding(
                    "The configuration has no resource, but the platform names one in every request.",
                    at: "resource",
                    expected: "the URL of the protected resource",
                    found: "missing",
                    fix: "Set resource, or --resource, to the URL of the resource that the platform calls, such as "
                        + "https://mcp.example.com/mcp."
                )
            ]
        }
    )

    static let mustBePushed = RuledChecks.check(
        .requestsArePushed,
        "The authorization endpoint rejects a request that was not pushed",
        .safety,
        why: "An attacker who can change the request in the browser can change what the provider grants.",
        reads: plainRequests,
        passesOn: .refusal,
        exempt: { subject, facts in
            if let why = subject.isInconclusive { return why }
            guard let refusal = subject.refusal, !isGrantedWhenPushed(facts) else { return nil }
            return
                "the authorization endpoint returned \(refusal), but no pushed request was granted: it is unknown whether "
                + "the request was rejected because it was not pushed"
        },
        rule: { subject, _, _ in
            guard subject.refusal == nil else { return [] }
            return [
                Finding(
                    "The authorization endpoint accepts a request that was not pushed.",
                    at: "request_uri",
                    expected: "an error",
                    found: subject.answer.redirect?.has("code") == true ? "a code" : "no error",
                    fix: "Set require_pushed_authorization_requests to true for this client."
                )
            ]
        }
    )

    static let isClosedToScripts = RuledChecks.check(
        .authorizationIsClosedToScripts,
        "The authorization endpoint does not allow cross-origin scripts (CORS)",
        .safety,
        why: "Clients never call this endpoint from a script, so CORS only lets an attacker's page read its responses.",
        reads: scriptsAnswer,
        rule: { exchange, _, _ in
            let allowed = (exchange.response?.headers ?? []).filter { $0.isNamed("access-control-allow-origin") }
                .map(\.value)
            // Fetch section 4.9, CORS check: several values count as none. The provider's own pages have the same origin.
            let own = ["/", "?"].map { (allowed.first ?? "") + $0 }
            guard allowed.count == 1, !own.contains(where: exchange.request.url.hasPrefix) else { return [] }
            return [
                Finding(
                    "The authorization endpoint lets scripts of other origins read its response.",
                    at: "Access-Control-Allow-Origin",
                    expected: "no such header",
                    found: allowed[0].shown(limit: 80),
                    fix: "Disable cross-origin requests (CORS) for the authorization endpoint.",
                    exchange: exchange.id
                )
            ]
        }
    )

    /// The reason for a missing provider ID, with the platform's only ID for the provider or an example.
    static func noProviderID(_ facts: Facts) -> String {
        let parameters = facts.profile.parameters
        let name =
            parameters[.providerName]?.onlyText.map { ": \($0)" } ?? parameters.example(of: .providerName)
            .map { ", such as \($0)" } ?? ""
        return "the configuration does not state the provider ID on the platform; add registration.provider_id" + name
    }

    package static let all: [Check] = [
        providerIDIsWellFormed, redirectURIIsThePlatforms, reservedAreLeftOut, settableAreLeftOut, needsNoPKCE,
        needsNoUnlistedPKCE, namesAResource, mustBePushed, isClosedToScripts,
    ]

    private static let platformToken = StepResults.answer(.platformSignIn)

    /// The response to the platform's request: for a signed-in user, including the redemption of the code, or below the
    /// full tier for a browser without a session.
    private static let platformRequests: Query<AuthorizationResult> = {
        let (whole, alone) = (
            StepResults.authorization(.platformSignIn), StepResults.authorization(.asThePlatformSends)
        )
        return Query(whole.name, needs: whole.needs.union(alone.needs), features: alone.features) { facts in
            let samples = whole.samples(facts)
            guard samples.contains(where: \.wasTried) else { return alone.samples(facts) }
            return samples.map { sample in
                let judged = sample.observation.flatMap { answered -> Observation<AuthorizationResult> in
                    guard answered.isGranted else { return .observed(answered) }
                    return platformToken.samples(facts).first?.observation.map { _ in answered }
                        ?? .absent("the run did not redeem the code")
                }
                return Sample(judged, label: sample.label, exchange: sample.exchange)
            }
        }
    }()

    /// The response of the authorization endpoint itself, not of a page to which it redirects.
    private static let scriptsAnswer = StepResults.authorization(.requestedByScript)
        .narrowed("response of the authorization endpoint to a script") { sample, facts in
            let own = sample.observation.flatMap { asked -> Observation<Exchange> in
                let exchange = asked.asked.run.visits.first.flatMap { facts.evidence.exchange($0.exchange) }
                guard let exchange, let response = exchange.response else {
                    return .absent("the run recorded no response of the authorization endpoint")
                }
                // An error page of a server in front does not show what the endpoint itself allows.
                return response.isServerError
                    ? .absent("the server returned an error: HTTP status \(response.status)") : .observed(exchange)
            }
            return Sample(own, exchange: own.value?.id ?? sample.exchange)
        }

    /// The responses to requests that were not pushed; below the full tier, to the request without a session.
    private static let plainRequests: Query<AuthorizationResult> = {
        let plain = PushedRequestUseChecks.plainRequests
        let alone = StepResults.authorization(.asThePlatformSends)
        return Query(plain.name, needs: plain.needs.union(alone.needs), features: alone.features) { facts in
            let tried = plain.samples(facts).filter(\.wasTried)
            return tried.isEmpty ? alone.samples(facts) : tried
        }
    }()

    /// Whether the same request is granted when pushed, so that nothing else can be wrong with it.
    private static func isGrantedWhenPushed(_ facts: Facts) -> Bool {
        facts.metadata.value?.has("pushed_authorization_request_endpoint") == true
            && StepResults.successes.samples(facts).contains { $0.observation.value != nil }
    }
}
