package import JSONTree

/// The data of the provider's own API about the signed-in user.
package struct UserAPIResult: Sendable {
    package let response: Exchange.Response
    /// The body as a JSON object; `nil` when it is none, or the status is no success.
    package let object: JSONObject?

    /// The member at a path of names parted by dots, `data.id`; `nil` when it is missing or null.
    package func member(_ path: String) -> JSON? {
        var value: JSON? = object.map { .object($0) }
        for name in path.split(separator: ".") { value = value?[String(name)] }
        return value == .null ? nil : value
    }
}

/// The queries of the provider's own API, `user_api_endpoint`.
extension StepResults {
    /// The API's response about the user.
    package static let user = user(Scenario.userAPI, "the API's response about the user")

    /// The API's responses about the same user in two sessions.
    package static let userTwice = Query<(first: UserAPIResult, second: UserAPIResult)>(
        "the API's responses in two sessions",
        needs: [.discovery, .probe(Scenario.userAPI.id), .probe(Scenario.userAPIAgain.id)]
    ) { facts in
        let second = user(Scenario.userAPIAgain, "").samples(facts)
        return zip(user.samples(facts), second)
            .map { first, second in
                Sample(
                    first.observation.flatMap { first in second.observation.map { (first: first, second: $0) } },
                    exchange: second.exchange
                )
            }
    }

    /// The API's response about the user's e-mail addresses.
    package static let userEmails = answer(.userAPI, .userEmails)

    private static func user(_ scenario: Scenario, _ name: String) -> Query<UserAPIResult> {
        let query = answer(scenario, .userAPI)
        return Query(name, needs: query.needs) { facts in
            query.samples(facts)
                .map { sample in
                    // If the platform reads an API, an unknown address makes the gate inconclusive.
                    if case .notAttempted = sample.observation, facts.evidence.run(scenario.id) != nil,
                        facts.evidence.addresses?.contains(where: { $0.member == "user_api_endpoint" }) != true
                    {
                        let why = "the provider's API is not known: set endpoints.user_api_endpoint"
                        return Sample(.absent(why))
                    }
                    return Sample(
                        sample.observation.map { answer in
                            UserAPIResult(
                                response: answer.response,
                                object: answer.isSuccess ? answer.json?.objectValue : nil
                            )
                        },
                        exchange: sample.exchange
                    )
                }
        }
    }
}

extension Documents {
    /// The discovery document of a provider whose platform does not need it, if there is one.
    package static let published = Query<Metadata>(
        "published discovery document",
        needs: [.publication],
        whenEmpty: "the provider publishes no discovery document"
    ) { facts in
        let document = facts.evidence.published ?? facts.evidence.discovery
        let metadata = document.flatMap { Facts.metadata($0, in: facts.evidence) }
        // Without a published document there is nothing to check.
        if case .absent = metadata { return [] }
        return [Sample(metadata, exchange: metadata.value?.exchange)]
    }
}
