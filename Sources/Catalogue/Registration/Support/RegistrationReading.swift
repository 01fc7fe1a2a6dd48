import Conformance
import JSONTree

/// The slots that several rules about registration read.
enum RegistrationSlots {
    /// Every client that can be registered for something.
    static let special =
        Scenario.signedOtherwise + [.encryptedForRSA, .encryptedForEC, .pairwiseClient, .assertingClient]

    static let plain = Registrations.answer(.registeredClient)

    static let advertised = Registrations.answers("answers to registering what the provider advertises", special)

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
            let isAboutMetadata = !answer.isSuccess && ![401, 403, 404, 405, 429].contains(answer.response.status)
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
    var isClosed: Bool { [401, 403, 404, 405, 429].contains(response.status) }

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
