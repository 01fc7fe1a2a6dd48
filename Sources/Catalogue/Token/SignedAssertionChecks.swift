package import Conformance
import JSONTree

/// Clients of the configuration that authenticate with a signed assertion (RFC 7523, Core section 9).
package enum SignedAssertionChecks {
    package static let expiredIsRefused = Check(
        "token.assertion.expired-is-refused",
        "A client assertion that has expired is refused",
        .must,
        .safety,
        Citation(.rfc7523, "3", "MUST reject any JWT with an expiration time that has passed"),
        why: "Whoever finds an assertion in an old log speaks for the client for ever.",
        reads: redeemed(.expiredAssertion),
        excusedBy: [Redemptions.anyCode, AssertionChecks.expiredIsRefused.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint gave tokens for an assertion that had expired an hour before.",
            at: "client_assertion",
            expected: refusal,
            fix: "Refuse a client_assertion whose exp has passed."
        )
    }

    package static let foreignAudienceIsRefused = Check(
        "token.assertion.foreign-audience-is-refused",
        "A client assertion for another server is refused",
        .must,
        .safety,
        Citation(.rfc7523, "3", "MUST reject any JWT that does not contain its own identity as the intended audience"),
        why: "Another server at which the client authenticates could use its assertions here.",
        reads: redeemed(.foreignAssertion),
        excusedBy: [Redemptions.anyCode, AssertionChecks.otherAudienceIsRefused.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint gave tokens for an assertion whose aud is another server.",
            at: "client_assertion",
            expected: refusal,
            fix: "Refuse a client_assertion whose aud is neither the issuer nor the token endpoint."
        )
    }

    package static let unsignedIsRefused = Check(
        "token.assertion.unsigned-is-refused",
        "A client assertion without a signature is refused",
        .must,
        .safety,
        Citation(.rfc7523, "3", "The JWT MUST be digitally signed or have a Message Authentication Code (MAC) applied"),
        why: "Anybody could write such an assertion in the name of any client.",
        reads: redeemed(.unsignedAssertion),
        excusedBy: [Redemptions.anyCode, ClientProofChecks.needsRightSecret.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint gave tokens for an assertion with alg none.",
            at: "client_assertion",
            expected: refusal,
            fix: "Take only the algorithm that the client registered, and never none."
        )
    }

    package static let isSingleUse = Check(
        "token.assertion.is-single-use",
        "A client assertion is refused the second time",
        // Core says how often it may be used; that the provider must look, nobody says (RFC 7523: MAY).
        .risk,
        .safety,
        Citation(.core, "9", "These tokens MUST only be used once"),
        why: "Whoever reads an assertion in a log can use it as long as it is valid.",
        reads: form(.again),
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal,
        exempt: { subject, facts in
            let first = form(.first).samples(facts).first?.observation.value
            if first?.clientRefusal != nil { return "the assertion was refused the first time" }
            let wrong = TokenErrors.wrongSecret.samples(facts).compactMap(\.observation.value)
            return wrong.contains(where: \.isAcceptance)
                ? "the answer does not depend on the client's credentials" : nil
        },
        finding: { subject, _ in
            guard subject.isAcceptance else { return nil }
            return Finding(
                "The same assertion, with the same jti, let the client in twice.",
                at: "client_assertion",
                expected: "error invalid_client",
                found: subject.phrase,
                fix: "Remember the jti of assertions until they expire, and refuse them the second time."
            )
        }
    )

    package static let issuerAudienceIsAccepted = Check(
        "token.assertion.issuer-audience-is-accepted",
        "A client assertion for the issuer is accepted",
        // Neither form is demanded of providers; clients send one or the other.
        .may,
        .conformance,
        Citation(.rfc7523, "3", "a value that identifies the authorization server as an intended audience"),
        why: "Newer clients name the issuer alone, which no other server can be mistaken for.",
        reads: form(.issuer),
        unless: { configured(.issuer, $0) },
        rule: { subject, _ in refused(subject, "the issuer") }
    )

    package static let endpointAudienceIsAccepted = Check(
        "token.assertion.endpoint-audience-is-accepted",
        "A client assertion for the token endpoint is accepted",
        .may,
        .conformance,
        Citation(.core, "9", "The Audience SHOULD be the URL of the Authorization Server's Token Endpoint."),
        why: "Clients that follow OpenID Connect name the token endpoint.",
        reads: form(.endpoint),
        unless: { configured(.tokenEndpoint, $0) },
        rule: { subject, _ in refused(subject, "the token endpoint") }
    )

    package static let all: [Check] = [
        expiredIsRefused, foreignAudienceIsRefused, unsignedIsRefused, isSingleUse, issuerAudienceIsAccepted,
        endpointAudienceIsAccepted,
    ]

    private static let refusal = "error invalid_client"
    private static let noAssertion = "the client does not authenticate with a signed assertion"

    /// There is no code to redeem by an ordinary request where every request must be pushed (RFC 9126 section 5).
    private static func redeemed(_ scenario: Scenario) -> Slot<AnsweredCall> {
        let slot = ofAssertionClients(Redemptions.slot(scenario))
        return Slot(
            slot.name,
            needs: slot.needs,
            features: slot.features,
            whenEmpty: "\(noAssertion), or every request must be pushed and this one was refused"
        ) { facts in
            let mustBePushed = facts.metadata.value?["require_pushed_authorization_requests"]?.boolValue == true
            let answer = facts.evidence.run(scenario.id)?.authorization.value
            return mustBePushed && answer?.redirect?.error != nil ? [] : slot.samples(facts)
        }
    }

    private static func form(_ id: StepID) -> Slot<AnsweredCall> {
        ofAssertionClients(Redemptions.slot(.assertionForms, id))
    }

    private static func ofAssertionClients(_ slot: Slot<AnsweredCall>) -> Slot<AnsweredCall> {
        Slot(slot.name, needs: slot.needs, features: slot.features, whenEmpty: noAssertion) { facts in
            Scenario.Condition.assertionClient.whyUnmet(facts.target) == nil ? slot.samples(facts) : []
        }
    }

    /// Why an audience is not judged here: the flow has shown it.
    private static func configured(_ audience: AssertionAudience, _ facts: Facts) -> String? {
        let type = facts.target.flows.first(where: \.hasCode) ?? "code"
        let own = facts.target.client(for: type)?.assertionAudience ?? .tokenEndpoint
        return own == audience ? "it is the audience that the client is configured for" : nil
    }

    private static func refused(_ subject: AnsweredCall, _ audience: String) -> [Finding] {
        guard subject.clientRefusal != nil else { return [] }
        return [
            Finding(
                "An assertion whose aud is \(audience) was refused.",
                at: "client_assertion",
                expected: "invalid_grant, because only the code is wrong",
                found: subject.phrase,
                fix: "Take issuer and token endpoint as aud, or configure the platform for what is taken."
            )
        ]
    }
}
