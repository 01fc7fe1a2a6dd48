import Conformance
import JSONTree

/// The queries that several checks of registration share.
enum RegistrationQueries {
    /// The clients that register special metadata.
    static let special =
        Scenario.signedOtherwise + [.encryptedForRSA, .encryptedForEC, .pairwiseClient, .assertingClient]

    static let plain = admitted(Registrations.answer(.registeredClient))
    /// The registration that shows what the provider requires of every client.
    static let ordinary = admitted(Registrations.answer(.ordinaryRegistration))

    static let advertised = admitted(Registrations.answers("responses to registrations of advertised values", special))

    /// The response to an invalid registration, which the provider should reject.
    ///
    /// A rejection proves nothing if the provider also rejects its baseline, the valid registration.
    static func wrong(_ scenario: Scenario, baseline: Scenario = .ordinaryRegistration) -> Query<RegistrationResult> {
        let query = admitted(Registrations.answer(scenario))
        let valid = admitted(Registrations.answer(baseline))
        return query.narrowed(query.name, needing: valid.needs) { sample, facts in
            let ordinary = valid.samples(facts).first?.observation
            if case .absent(let why)? = ordinary, sample.observation.value?.isSuccess != true {
                return Sample(.absent(why), label: sample.label, exchange: sample.exchange)
            }
            guard ordinary?.value?.isSuccess == false, sample.observation.value?.isSuccess == false else {
                return sample
            }
            let why = "the provider also rejects the valid registration, so the rejection proves nothing"
            return Sample(.notAttempted(why), label: sample.label, exchange: sample.exchange)
        }
    }

    /// Clients whose redirect URIs are not allowed for their application_type and response types.
    static let unfitAddresses: Query<RegistrationResult> = {
        let queries = [
            wrong(.implicitOverHTTP, baseline: .ordinaryImplicit),
            wrong(.implicitAtLocalhost, baseline: .ordinaryImplicit), wrong(.nativeOverHTTP),
        ]
        return Query(
            "responses to registrations of redirect URIs that are not allowed",
            needs: queries.reduce(into: []) { $0.formUnion($1.needs) },
            whenEmpty: "this run registered no client of this kind"
        ) { facts in
            queries.flatMap { $0.samples(facts) }
                .map { sample in
                    Sample(sample.observation, label: sample.observation.value?.run.title, exchange: sample.exchange)
                }
        }
    }()

    /// The responses that concern the metadata, and not the sender or the time of the request.
    static func admitted(_ query: Query<RegistrationResult>) -> Query<RegistrationResult> {
        query.narrowed(query.name) { sample, facts in
            Sample<RegistrationResult>(
                sample.observation.flatMap { answer in
                    if let why = answer.response.whyNotNow { return .absent(why) }
                    // The response does not show whether the token or the provider is wrong.
                    let hasToken = facts.target.dynamicRegistration?.hasInitialAccessToken == true
                    guard hasToken, answer.response.status == 401 else { return .observed(answer) }
                    return .absent(
                        "the provider rejects dynamic_registration.initial_access_token (\(answer.phrase)); check that it is still valid"
                    )
                },
                label: sample.label,
                exchange: sample.exchange
            )
        }
    }

    /// The responses with which the provider registered a client.
    static let successes = Registrations.answers("registration responses", [.registeredClient] + special)
        .narrowed("successful registration responses") { sample, _ in
            Sample<RegistrationResult>(
                sample.observation.flatMap { answer in
                    answer.isSuccess
                        ? .observed(answer) : .notAttempted("the provider registered no client (\(answer.phrase))")
                },
                label: sample.label,
                exchange: sample.exchange
            )
        }

    /// The responses with which the provider rejected invalid metadata, and not their sender.
    static let refusals = Registrations.answers("rejected registrations", Scenario.wrongMetadata)
        .narrowed("rejected registrations", whenEmpty: "the provider rejected no registration because of its metadata")
    { sample, _ in
        guard let answer = sample.observation.value else { return sample }
        let isAboutMetadata = !answer.isSuccess && ![401, 403, 404, 405, 429, 503].contains(answer.response.status)
        return isAboutMetadata ? sample : nil
    }

    static let reading = Registrations.reading(.registeredClient)
    static let readingWithoutToken = Registrations.readingWithoutToken(.registeredClient)
}

extension RegistrationResult {
    /// A member of the response that is a string.
    func text(_ member: String) -> String? { object?[member]?.stringValue }

    /// The redirect URIs in the response.
    var redirectURIs: [String] { object?["redirect_uris"]?.strings ?? [] }

    /// Whether registration is closed, so that the rejection is not about the metadata.
    var isClosed: Bool { [401, 403, 404, 405, 429, 503].contains(response.status) }

    /// A finding about an invalid registration that was accepted.
    func accepted(_ message: String, at member: String, expected: String, fix: String) -> Finding {
        Finding(
            message,
            at: "/" + member,
            expected: expected,
            found: "\(phrase), \(member) \(object?[member]?.shown ?? "not returned")",
            fix: fix
        )
    }
}
