package import Conformance
import JSONTree

/// Configured clients that authenticate with a signed assertion (RFC 7523, Core section 9).
package enum SignedAssertionChecks {
    static let expiredIsRefused = Check(
        "token.assertion.expired-is-refused",
        "The token endpoint rejects an expired client assertion",
        .must,
        .safety,
        Citation(.rfc7523, "3", "MUST reject any JWT with an expiration time that has passed"),
        why: "An attacker who finds an assertion in an old log can impersonate the client indefinitely.",
        reads: redeemed(.expiredAssertion),
        supersededBy: [IncorrectRedemptions.anyCode, AssertionChecks.expiredIsRefused.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint issues tokens for an assertion that expired an hour earlier.",
            at: "client_assertion",
            expected: refusal,
            fix: "Reject a client_assertion whose exp has passed."
        )
    }

    static let foreignAudienceIsRefused = Check(
        "token.assertion.foreign-audience-is-refused",
        "The token endpoint rejects a client assertion for another server",
        .must,
        .safety,
        Citation(.rfc7523, "3", "MUST reject any JWT that does not contain its own identity as the intended audience"),
        why:
            "Another server to which the client authenticates can replay its assertions here and impersonate the client.",
        reads: redeemed(.foreignAssertion),
        supersededBy: [IncorrectRedemptions.anyCode, AssertionChecks.otherAudienceIsRefused.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint issues tokens for an assertion whose aud is another server.",
            at: "client_assertion",
            expected: refusal,
            fix: "Reject a client_assertion whose aud is neither the issuer nor the token endpoint."
        )
    }

    static let unsignedIsRefused = Check(
        "token.assertion.unsigned-is-refused",
        "The token endpoint rejects a client assertion without a signature",
        .must,
        .safety,
        Citation(.rfc7523, "3", "The JWT MUST be digitally signed or have a Message Authentication Code (MAC) applied"),
        why: "An attacker can forge an unsigned assertion for any client.",
        reads: redeemed(.unsignedAssertion),
        supersededBy: [IncorrectRedemptions.anyCode, ClientProofChecks.needsRightSecret.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint issues tokens for an assertion with alg none.",
            at: "client_assertion",
            expected: refusal,
            fix: "Accept only the algorithm that the client registered, and never accept alg none."
        )
    }

    static let isSingleUse = Check(
        "token.assertion.is-single-use",
        "The token endpoint rejects a reused client assertion",
        // Core limits its use to once; no specification requires the provider to check that (RFC 7523: MAY).
        .risk,
        .safety,
        Citation(.core, "9", "These tokens MUST only be used once"),
        why: "An attacker who reads an assertion in a log can use it until it expires.",
        reads: form(.again),
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal,
        exempt: { subject, facts in
            let first = form(.first).samples(facts).first?.observation.value
            if first?.clientRefusal != nil { return "the token endpoint rejected the assertion the first time" }
            let wrong = TokenErrors.wrongSecret.samples(facts).compactMap(\.observation.value)
            return wrong.contains(where: \.isAcceptance)
                ? "the response does not depend on the client's credentials" : nil
        },
        finding: { subject, _ in
            guard subject.isAcceptance else { return nil }
            return Finding(
                "The token endpoint accepts the same assertion, with the same jti, twice.",
                at: "client_assertion",
                expected: "error invalid_client",
                found: subject.phrase,
                fix: "Store the jti of each assertion until it expires, and reject an assertion with a known jti."
            )
        }
    )

    static let issuerAudienceIsAccepted = Check(
        "token.assertion.issuer-audience-is-accepted",
        "The token endpoint accepts a client assertion with the issuer as aud",
        // Providers need not accept both forms; clients send one or the other.
        .may,
        .conformance,
        Citation(.rfc7523, "3", "a value that identifies the authorization server as an intended audience"),
        why: "Newer clients set aud to the issuer only and cannot authenticate.",
        reads: form(.issuer),
        unless: { configured(.issuer, $0) },
        rule: { subject, _ in refused(subject, "the issuer") }
    )

    static let endpointAudienceIsAccepted = Check(
        "token.assertion.endpoint-audience-is-accepted",
        "The token endpoint accepts a client assertion with its own URL as aud",
        .may,
        .conformance,
        Citation(.core, "9", "The Audience SHOULD be the URL of the Authorization Server's Token Endpoint."),
        why: "Clients that follow OpenID Connect set aud to the token endpoint and cannot authenticate.",
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

    /// If the provider requires pushed requests, an ordinary request yields no code to redeem (RFC 9126 section 5).
    private static func redeemed(_ scenario: Scenario) -> Query<CallResult> {
        let query = ofAssertionClients(IncorrectRedemptions.query(scenario))
        return Query(
            query.name,
            needs: query.needs,
            features: query.features,
            whenEmpty: "\(noAssertion), or the provider requires pushed requests and rejected this one"
        ) { facts in
            let mustBePushed = facts.metadata.value?["require_pushed_authorization_requests"]?.boolValue == true
            let answer = facts.evidence.run(scenario.id)?.authorization.value
            return mustBePushed && answer?.redirect?.error != nil ? [] : query.samples(facts)
        }
    }

    /// The answer to an assertion in one of the forms of ``Scenario/assertionForms``.
    static func form(_ id: StepID) -> Query<CallResult> {
        ofAssertionClients(IncorrectRedemptions.query(.assertionForms, id))
    }

    private static func ofAssertionClients(_ query: Query<CallResult>) -> Query<CallResult> {
        Query(query.name, needs: query.needs, features: query.features, whenEmpty: noAssertion) { facts in
            Scenario.Condition.assertionClient.whyUnmet(facts.target) == nil ? query.samples(facts) : []
        }
    }

    /// Why an audience is not checked here: the flow already uses it.
    private static func configured(_ audience: AssertionAudience, _ facts: Facts) -> String? {
        let type = facts.target.flows.first(where: \.hasCode) ?? "code"
        let own = facts.target.client(for: type)?.assertionAudience ?? .tokenEndpoint
        return own == audience ? "the client is configured for this audience" : nil
    }

    private static func refused(_ subject: CallResult, _ audience: String) -> [Finding] {
        guard subject.clientRefusal != nil else { return [] }
        return [
            Finding(
                "The token endpoint rejects an assertion whose aud is \(audience).",
                at: "client_assertion",
                expected: "invalid_grant, because only the code is wrong",
                found: subject.phrase,
                fix:
                    "Accept both the issuer and the token endpoint as aud, or configure the platform to send the accepted one."
            )
        ]
    }
}
