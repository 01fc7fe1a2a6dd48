/// Runs as format 2 of the evidence had them, by the names that it gave to their parts.
///
/// It had an authorization request with its token and UserInfo requests, and apart from them the steps that came later.
private struct FormatTwoRun: Decodable {
    struct Step: Decodable {
        var id: StepID
        var title: String
        var sent: [Field]
        var authorization: Observation<AuthorizationAnswer>
        var answer: Observation<EndpointAnswer>
        var filledCredentials: Bool
    }

    var scenario: ScenarioID
    var title: String
    var clientID: String
    var responseType: ResponseType
    var sent: [Field]
    var authorization: Observation<AuthorizationAnswer>
    var token: Observation<EndpointAnswer>
    var userInfo: Observation<EndpointAnswer>
    var visits: [PageVisit]
    var sequels: [Step]
    var registration: RegistrationRun?

    /// The scenario that was held; for one that is known no more, what its parts tell of it.
    var held: Scenario {
        if let known = Scenario.named(scenario) { return known }
        if scenario.isFlow { return .flow(responseType) }
        return Scenario(
            id: scenario,
            title: title,
            tier: .full,
            steps: [.authorize(AuthorizationRequest(session: .none)), .redeem()]
        )
    }

    func run(of step: Conformance.Step) -> StepRun? {
        var run = StepRun(step.id, title: held.words(for: step.id), .paused)
        if step.isPause { return run }
        switch step.id {
        case .authorization:
            run.sent = sent
            run.authorization = authorization
        case .token: run.answer = token
        case .userInfo where step.title == nil: run.answer = userInfo
        case .deletion: run.answer = registration?.deletion ?? .notAttempted("no client was registered")
        default:
            // What a deleted client was answered had the name of what it asked for; a redemption had that of its request.
            let name =
                step.id == .afterDeletion ? StepID("token") : step.title == nil ? step.id.completed : step.id
            guard let held = sequels.first(where: { $0.id == name }) else { return nil }
            if step.call != nil {
                run.answer = held.answer
            } else {
                run.sent = held.sent
                run.authorization = held.authorization
                run.filledCredentials = held.filledCredentials
            }
        }
        return run
    }

    static let notHeld = "this step was not held"

    /// What is a step of another conversation today than it was.
    private static let separated: [(from: ScenarioID, step: StepID, to: Scenario, as: StepID)] = [
        ("request.unusual-values", .post, .byPOST, .authorization),
        ("userinfo.ways", .noToken, .userInfoRefusals, .noToken),
        ("userinfo.ways", .badToken, .userInfoRefusals, .badToken),
        ("userinfo.ways", .get, .accessTokenLife, .get),
        ("userinfo.ways", .post, .accessTokenLife, .post),
        ("userinfo.ways", .postBody, .accessTokenLife, .postBody),
        ("userinfo.ways", .query, .accessTokenLife, .query),
        ("introspection.access-token", .noCredentials, .accessTokenLife, .introspectedByNobody),
        ("introspection.access-token", .wrongSecret, .accessTokenLife, .introspectedWithWrongSecret),
        ("introspection.access-token", .live, .accessTokenLife, .introspectedAlive),
        ("introspection.access-token", .unknown, .accessTokenLife, .introspectedMadeUp),
        ("introspection.access-token", .revoked, .accessTokenLife, .introspectedRevoked),
        ("revocation.access-token", .unknown, .accessTokenLife, .revokedMadeUp),
        ("revocation.access-token", .noCredentials, .accessTokenLife, .revokedByNobody),
        ("revocation.access-token", .wrongSecret, .accessTokenLife, .revokedWithWrongSecret),
        ("revocation.access-token", .revoke, .accessTokenLife, .revoke),
        ("revocation.access-token", .userInfo, .accessTokenLife, .userInfo),
    ]

    /// The conversations of today that this one held among its steps.
    var others: [ScenarioRun] {
        let held = Self.separated.filter { $0.from == scenario }
        var found: [ScenarioRun] = []
        for (_, name, scenario, id) in held {
            guard let step = sequels.first(where: { $0.id == name }) else { continue }
            var run = StepRun(id, title: scenario.words(for: id), .notAttempted("this step asks another endpoint"))
            run.sent = step.sent
            if id == .authorization {
                run.authorization = step.authorization
                run.filledCredentials = step.filledCredentials
            } else {
                run.answer = step.answer
            }
            let place = found.firstIndex { $0.scenario == scenario.id } ?? found.count
            if place == found.count {
                found.append(
                    ScenarioRun(
                        scenario: scenario,
                        clientID: clientID,
                        responseType: responseType,
                        outcome: .notAttempted(Self.notHeld)
                    )
                )
            }
            found[place][id] = run
        }
        return found
    }
}

/// The conversations that format 2 held as steps of others.
package struct FormatTwoConversations: Decodable {
    package let runs: [ScenarioRun]

    private enum CodingKeys: String, CodingKey { case runs }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        runs = try container.decode([FormatTwoRun].self, forKey: .runs).flatMap(\.others)
            .reduce(into: []) { runs, other in
                guard let place = runs.firstIndex(where: { $0.scenario == other.scenario }) else {
                    return runs.append(other)
                }
                for step in other.steps where step.outcome.whyNot != FormatTwoRun.notHeld {
                    runs[place][step.id] = step
                }
            }
    }
}

extension ScenarioRun {
    /// Reads a run of this format, or of format 2.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        scenario = try container.decode(ScenarioID.self, forKey: .scenario)
        title = try container.decode(String.self, forKey: .title)
        clientID = try container.decode(String.self, forKey: .clientID)
        responseType = try container.decode(ResponseType.self, forKey: .responseType)
        visits = try container.decode([PageVisit].self, forKey: .visits)
        met = try container.decodeIfPresent([MetPage].self, forKey: .met)
        registration = try container.decodeIfPresent(RegistrationRun.self, forKey: .registration)
        if container.contains(.steps) {
            steps = try container.decode([StepRun].self, forKey: .steps)
        } else {
            let earlier = try FormatTwoRun(from: decoder)
            steps = earlier.held.steps.compactMap(earlier.run)
        }
    }
}
