import Conformance
import JSONTree

/// Platform rules about hosts that register themselves as public clients at loopback redirect URIs (RFC 8252 section 7.3).
enum HostRuleChecks {
    static let canSignIn = RuledChecks.check(
        .hostSignsIn,
        "Users can sign in with a registered public client at a loopback redirect URI",
        .signIn,
        why: "The host registers itself successfully, and its users cannot sign in.",
        reads: host("sign-in with a public client at a loopback redirect URI") { run, _ in
            run.authorization.map { _ in run }
        },
        supersededBy: ["registration.public-loopback.is-accepted", "registration.client.can-sign-in"],
        exempt: RegisteredClientChecks.unlessFlowsWork,
        rule: { subject, _, _ in
            let run = subject.value
            if let refusal = RegisteredClientChecks.refusal(by: run.authorization.value) {
                return [failure(refusal, at: "redirect_uri", run.authorization.value?.exchange)]
            }
            guard case .observed(let answer) = run.token, answer.accessToken == nil else { return [] }
            return [failure("the token endpoint issues no access token without a secret", at: nil, answer.exchange)]
        }
    )

    static let localhost = RuledChecks.check(
        .hostSignsInAtLocalhost,
        "Users can sign in with a registered public client at a redirect URI with the host localhost",
        .signIn,
        why: "The host registers itself successfully, and its users cannot sign in.",
        reads: host("sign-in with a public client at localhost") { run, _ in run.authorization(.localhost) },
        supersededBy: ["platform.host.can-sign-in"],
        exempt: RegisteredClientChecks.unlessFlowsWork,
        rule: { subject, _, _ in
            RegisteredClientChecks.refusal(by: subject.value)
                .map { [failure($0, atHost: "localhost", at: "redirect_uri", subject.value.exchange)] } ?? []
        }
    )

    static let refresh = RuledChecks.check(
        .hostRefreshes,
        "A registered public client can renew its tokens without a secret",
        .signIn,
        why: "The host fails when the access token expires, or makes the user sign in again.",
        reads: host("refresh by a public client") { run, facts in Registrations.answer(run, .refresh, facts) },
        supersededBy: ["platform.host.can-sign-in", "token.refresh.succeeds"],
        rule: { subject, _, _ in
            guard !subject.value.issuedTokens else { return [] }
            return [
                Finding(
                    "The token endpoint issues a refresh token to a public client, and rejects it.",
                    at: "refresh_token",
                    expected: "new tokens",
                    found: subject.value.phrase,
                    fix: "Accept the refresh token with client_id alone from clients that registered "
                        + "token_endpoint_auth_method none (RFC 6749 section 6).",
                    exchange: subject.value.answer.exchange
                )
            ]
        }
    )

    static let registrationIsTried = RuledChecks.check(
        .hostRegistrationIsTried,
        "The run registers a client as the platform does",
        // Nothing is wrong with the provider.
        .conformance,
        why: "If the provider rejects self-registration, users of AI hosts cannot sign in.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            metadata.string("registration_endpoint") == nil
                && metadata[Scenario.describedClientSupport]?.boolValue != true
                ? "the provider registers no clients" : nil
        },
        rule: { _, _, facts in
            guard facts.target.dynamicRegistration?.isEnabled != true else { return [] }
            return [
                Finding(
                    "The configuration does not let the run register clients, so sign-in by an AI host was not tested.",
                    at: "dynamic_registration",
                    expected: "enabled: true",
                    found: "not enabled",
                    fix: "Set dynamic_registration: { enabled: true }; the run deletes the clients that it registers."
                )
            ]
        }
    )

    static let all: [Check] = [canSignIn, localhost, refresh, registrationIsTried]

    private static func host<Value>(
        _ name: String,
        _ read: @escaping @Sendable (ScenarioRun, Facts) -> Observation<Value>
    ) -> Query<RegisteredResponse<Value>> {
        Registrations.asRegistered(name, "redirect_uris", [.hostClient], needing: [], read)
    }

    private static func failure(
        _ what: String,
        atHost host: String = "127.0.0.1",
        at place: String?,
        _ exchange: Int?
    ) -> Finding {
        Finding(
            "Users cannot sign in with a public client at a redirect URI with the host \(host): \(what).",
            at: place,
            expected: "a code, and tokens for it",
            found: what,
            fix:
                "Let a registered client with token_endpoint_auth_method none use its http redirect URIs at 127.0.0.1 and "
                + "localhost, and redeem its code with PKCE alone.",
            exchange: exchange
        )
    }
}
