import Conformance
import Preflight
import ReferenceProvider
import Testing

/// A rejection counts only for the change that a probe makes.
@Suite("Attribution", .timeLimit(.minutes(5)))
struct AttributionTests {
    /// A step of a probe.
    struct Place: Hashable, CustomTestStringConvertible {
        let scenario: ScenarioID
        let step: StepID

        init(_ scenario: Scenario, _ step: StepID) {
            self.scenario = scenario.id
            self.step = step
        }

        var testDescription: String { "\(scenario), \(step)" }
    }

    /// The checks that pass only because a step was rejected.
    private static let checks: [(Place, CheckID)] = [
        (Place(.codeTwice, .again), "token.code.is-single-use"),
        (Place(.codeTwice, .userInfo), "token.code.reuse-revokes-tokens"),
        (Place(.codeTwiceLater, .again), "token.code.stays-used"),
        (Place(.malformedTokenRequests, .get), "token.get.is-refused"),
        (Place(.malformedTokenRequests, .repeated), "token.repeated-parameter.is-refused"),
        (Place(.refresh, .wider), "token.refresh.wider-scope-is-refused"),
        (Place(.refresh, .otherClient), "token.refresh.other-client-is-refused"),
        (Place(.refresh, .wrongSecret), "token.refresh.needs-client-authentication"),
        (Place(.refresh, .identifierOnly), "token.refresh.needs-client-authentication"),
        (Place(.refresh, .bogus), "token.refresh.made-up-is-refused"),
        (Place(.accessTokenLife, .query), "userinfo.query-token.is-refused"),
        (Place(.accessTokenLife, .idToken), "userinfo.id-token.is-refused"),
        (Place(.accessTokenLife, .alteredToken), "userinfo.altered-token.is-refused"),
        (Place(.accessTokenLife, .introspectedWithoutClient), "introspection.no-credentials.is-refused"),
        (Place(.accessTokenLife, .introspectedWithWrongSecret), "introspection.wrong-secret.is-refused"),
        (Place(.accessTokenLife, .revokedWithoutClient), "revocation.no-credentials.is-refused"),
        (Place(.accessTokenLife, .revokedWithWrongSecret), "revocation.wrong-secret.is-refused"),
        (Place(.accessTokenLife, .userInfo), "revocation.access-token.opens-nothing-afterwards"),
        (Place(.revokeRefreshToken, .refresh), "revocation.refresh-token.opens-nothing-afterwards"),
        (Place(.wronglySignedRequestObject, .authorization), "authorization.request-object.wrong-signature-is-refused"),
        (Place(.refusals, .malformedClaims), "authorization.claims-parameter.malformed-is-refused"),
        (Place(.refusals, .malformedMaxAge), "authorization.max-age.malformed-is-refused"),
        (Place(.pushedRequest, .noCredentials), "authorization.pushed-request.no-credentials-is-refused"),
        (Place(.pushedRequest, .wrongSecret), "authorization.pushed-request.wrong-secret-is-refused"),
        (Place(.pushedRequest, .withRequestURI), "authorization.pushed-request.request-uri-is-refused"),
        (Place(.pushedRequest, .useAgain), "authorization.pushed-request.request-uri-is-single-use"),
        (Place(.pushedRequest, .unknown), "authorization.pushed-request.unknown-request-uri-is-refused"),
        (Place(.registeredClient, .afterDeletion), "registration.deleted-client.is-refused"),
        (Place(.assertingClient, .otherKey), "token.private-key-jwt.other-key-is-refused"),
        (Place(.assertingClient, .expired), "token.private-key-jwt.expired-is-refused"),
        (Place(.assertingClient, .otherAudience), "token.private-key-jwt.other-audience-is-refused"),
    ]

    private static let standard = Task { try await Laboratory.collect(.standard, profile: "openid", tier: .full) }
    /// The provider that offers private_key_jwt.
    private static let special = Task { try await Laboratory.collect(.specialClients, profile: "openid", tier: .full) }

    /// Whether a check passes on the evidence of the provider that it applies to.
    private static func passes(
        _ check: CheckID,
        of place: Place,
        _ change: (Evidence) throws -> Evidence = { $0 }
    ) async throws -> Bool {
        let result = try await (place.scenario == Scenario.assertingClient.id ? special : standard).value
        let evidence = try change(result.evidence)
        return result.run.judge(evidence, now: evidence.endedAt).entries.first { $0.id == check }?.verdict == .passed
    }

    @Test("a rejection proves nothing if the baseline request is rejected as well", arguments: checks)
    func baselineRefused(place: Place, check: CheckID) async throws {
        #expect(try await Self.passes(check, of: place))
        #expect(try await !Self.passes(check, of: place) { try $0.answeringBaselines(of: place) })
    }

    @Test(
        "a rejection counts if the baseline request is rejected for another reason, but not if it has no response",
        arguments: [(403, #"{"error":"access_denied"}"#, true), (503, "busy", false), (500, "failed", false)]
    )
    func otherReason(status: Int, body: String, passes: Bool) async throws {
        let place = Place(.accessTokenLife, .introspectedWithWrongSecret)
        let response = Exchange.Response(
            status: status,
            headers: [Field("Content-Type", "application/json")],
            body: .text(body)
        )
        let found = try await Self.passes("introspection.wrong-secret.is-refused", of: place) {
            try $0.answeringBaselines(of: place, with: response)
        }
        #expect(found == passes)
    }

    @Test("every step with a baseline request is covered by these tests")
    func whole() {
        let steps = Scenario.catalogue.flatMap { scenario in
            scenario.steps.filter { !$0.baselines.isEmpty }.map { Place(scenario, $0.id) }
        }
        #expect(Set(steps).subtracting(Self.checks.map(\.0)) == Self.others)
    }

    /// The steps whose rejection lets no check of a conformant run pass, and why.
    private static let others: Set<Place> = [
        // Its check looks at the error.
        Place(.pushedRequest, .badRedirectURI),
        // The reference provider still accepts both, which is allowed.
        Place(.refresh, .replaced), Place(.revokeRefreshToken, .userInfo),
        // These checks pass because of another rejection.
        Place(.codeTwice, .againWithoutVerifier), Place(.codeTwiceLater, .againWithoutVerifier),
    ]
}

extension Evidence {
    /// Evidence in which the baseline requests of a step have the same response as the step, or another one.
    fileprivate func answeringBaselines(
        of place: AttributionTests.Place,
        with other: Exchange.Response? = nil
    ) throws -> Evidence {
        var evidence = self
        let step = try #require(run(place.scenario)?[place.step])
        let answered = try #require(step.outcome.value)
        for baseline in try #require(Scenario.named(place.scenario)?.step(place.step)).baselines {
            let (scenario, id): (ScenarioID?, StepID) =
                switch baseline {
                case .step(let id): (place.scenario, id)
                case .stepOf(let scenario, let id): (scenario, id)
                case .bogusCode: (.bogusCode(.clientSecretBasic, secretIsRight: true), .token)
                }
            guard let number = evidence.runs.firstIndex(where: { $0.scenario == scenario }),
                let exchange = evidence.runs[number][id]?.exchange
            else { continue }
            let response = other ?? evidence.exchange(step.exchange)?.response
            guard let position = evidence.exchanges.firstIndex(where: { $0.id == exchange }) else { continue }
            evidence.exchanges[position].response = response
            switch answered {
            case .authorization(let answer):
                evidence.runs[number][id]?.outcome = .observed(
                    .authorization(AuthorizationAnswer(ending: answer.ending, exchange: exchange))
                )
            case .answer(let answer):
                evidence.runs[number][id]?.outcome = .observed(
                    .answer(EndpointAnswer(exchange: exchange, body: other?.body ?? answer.body))
                )
            }
        }
        return evidence
    }
}
