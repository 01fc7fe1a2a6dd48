import Conformance
import JSONTree

/// The slots that several rules about registration read.
enum RegistrationSlots {
    /// Every client that can be registered for something.
    static let special =
        Scenario.signedOtherwise + [.encryptedForRSA, .encryptedForEC, .pairwiseClient, .assertingClient]

    static let plain = admitted(Registrations.answer(.registeredClient))
    /// The registration in which it shows what the provider wants of every client.
    static let ordinary = admitted(Registrations.answer(.ordinaryRegistration))

    static let advertised = admitted(
        Registrations.answers("answers to registering what the provider advertises", special)
    )

    /// The answer to a registration that should be refused for what is wrong with it.
    ///
    /// A refusal proves nothing where its twin, which is in order, is refused as well.
    static func wrong(_ scenario: Scenario, twin: Scenario = .ordinaryRegistration) -> Slot<AnsweredRegistration> {
        let slot = admitted(Registrations.answer(scenario))
        let control = admitted(Registrations.answer(twin))
        return slot.narrowed(slot.name, needing: control.needs) { sample, facts in
            let ordinary = control.samples(facts).first?.observation
            if case .absent(let why)? = ordinary, sample.observation.value?.isSuccess != true {
                return Sample(.absent(why), label: sample.label, exchange: sample.exchange)
            }
            guard ordinary?.value?.isSuccess == false, sample.observation.value?.isSuccess == false else {
                return sample
            }
            let why = "a registration that is in order is refused likewise, so that a refusal says nothing"
            return Sample(.notAttempted(why), label: sample.label, exchange: sample.exchange)
        }
    }

    /// Clients whose redirect URIs do not fit what they say they are.
    static let unfitAddresses: Slot<AnsweredRegistration> = {
        let slots = [
            wrong(.implicitOverHTTP, twin: .ordinaryImplicit), wrong(.implicitAtLocalhost, twin: .ordinaryImplicit),
            wrong(.nativeOverHTTP),
        ]
        return Slot(
            "answers to registering redirect URIs that do not fit",
            needs: slots.reduce(into: []) { $0.formUnion($1.needs) },
            whenEmpty: "no client of this kind was registered in this run"
        ) { facts in
            slots.flatMap { $0.samples(facts) }
                .map { sample in
                    Sample(sample.observation, label: sample.observation.value?.run.title, exchange: sample.exchange)
                }
        }
    }()

    /// The answers that say something of the registration, and not of who asked for it and when.
    private static func admitted(_ slot: Slot<AnsweredRegistration>) -> Slot<AnsweredRegistration> {
        slot.narrowed(slot.name) { sample, facts in
            Sample<AnsweredRegistration>(
                sample.observation.flatMap { answer in
                    if let why = answer.response.whyNotNow { return .absent(why) }
                    // Which of the two is wrong, the token or the provider that refuses it, cannot be seen from here.
                    let hasToken = facts.target.dynamicRegistration?.hasInitialAccessToken == true
                    guard hasToken, answer.response.status == 401 else { return .observed(answer) }
                    return .absent(
                        "dynamic_registration.initial_access_token is refused (\(answer.phrase)): is it right, and not used up?"
                    )
                },
                label: sample.label,
                exchange: sample.exchange
            )
        }
    }

    /// The answers with which the provider registered a client.
    static let successes = Registrations.answers("registration responses", [.registeredClient] + special)
        .narrowed("successful registration responses") { sample, _ in
            Sample<AnsweredRegistration>(
                sample.observation.flatMap { answer in
                    answer.isSuccess
                        ? .observed(answer) : .notAttempted("the provider registered no client (\(answer.phrase))")
                },
                label: sample.label,
                exchange: sample.exchange
            )
        }

    /// The answers with which the provider refused wrong metadata, and not the one who sent them.
    static let refusals = Registrations.answers("refused registrations", Scenario.wrongMetadata)
        .narrowed("refused registrations", whenEmpty: "the provider refused no registration for its metadata") {
            sample,
            _ in
            guard let answer = sample.observation.value else { return sample }
            let isAboutMetadata = !answer.isSuccess && ![401, 403, 404, 405, 429, 503].contains(answer.response.status)
            return isAboutMetadata ? sample : nil
        }

    static let reading = Registrations.reading(.registeredClient)
}

extension AnsweredRegistration {
    /// A member of the answer that is a string.
    func text(_ member: String) -> String? { object?[member]?.stringValue }

    /// The redirect URIs that the answer names.
    var redirectURIs: [String] { object?["redirect_uris"]?.strings ?? [] }

    /// Whether nobody registers anything here: the refusal says nothing about the metadata.
    var isClosed: Bool { [401, 403, 404, 405, 429, 503].contains(response.status) }

    /// A finding about a wrong registration that was accepted.
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
