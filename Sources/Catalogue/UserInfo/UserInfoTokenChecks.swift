package import Conformance
import JSONTree

/// UserInfo of the configured clients, where it is a signed JWT (Core section 5.3.2).
package enum UserInfoTokenChecks {
    private static let notRead = "the answer is no signed JWT that can be read"

    package static let isAsRegistered = Check(
        "userinfo.jwt.is-as-registered",
        "UserInfo is signed with the algorithm that the client registered",
        .must,
        .signIn,
        Citation(.registration, "2", "JWS alg algorithm REQUIRED for signing UserInfo Responses."),
        why: "A client that registered for a signed answer refuses plain JSON, and every other algorithm.",
        reads: UserInfoSlots.tokens,
        exempt: { subject, facts in
            registered(subject, facts) == nil ? "the client registered for no signed answer" : nil
        },
        finding: { subject, facts in
            guard let registered = registered(subject, facts) else { return nil }
            let alg = subject.answer.jwt?.headerObject?["alg"]?.stringValue
            guard !subject.isSigned || alg != registered else { return nil }
            return Finding(
                subject.isSigned
                    ? "UserInfo is not signed with the algorithm that the client registered."
                    : "The client registered for signed UserInfo, and the answer is no JWT.",
                at: subject.isSigned ? "alg" : "Content-Type",
                expected: subject.isSigned ? registered : "application/jwt, signed with \(registered)",
                found: subject.isSigned
                    ? alg?.shown() ?? "missing" : subject.response.header("Content-Type")?.shown() ?? "missing",
                fix: "Sign UserInfo for clients with userinfo_signed_response_alg; or correct "
                    + "client.userinfo_signed_response_alg, if the client registered for another."
            )
        }
    )

    package static let verifies = Check(
        "userinfo.jwt.signature-verifies",
        "The signature of UserInfo verifies with the published key that it names",
        .must,
        .signIn,
        Citation(
            .core,
            "10.1",
            "The private key used to sign the content MUST be associated with a public key used for signature verification published by the sender in its JWK Set document."
        ),
        why: "The claims are refused, and the person arrives without a name or an address.",
        reads: UserInfoSlots.tokens,
        excusedBy: ["userinfo.jwt.is-as-registered", "keys.signing-key.is-present"] + SigningKeyChecks.all.map(\.id),
        exempt: { subject, facts in
            guard subject.answer.jwt?.headerObject != nil, subject.claims != nil else { return notRead }
            return facts.keySet.value == nil ? "there is no key set" : nil
        },
        rule: { subject, facts in subject.answer.jwt.map { UserInfoJWT.signatureFaults($0, facts) } ?? [] }
    )

    package static let namesTheParties = Check(
        "userinfo.jwt.names-issuer-and-client",
        "Signed UserInfo names the issuer, and the client as its audience",
        .should,
        .conformance,
        Citation(
            .core,
            "5.3.2",
            "If signed, the UserInfo Response SHOULD contain the Claims iss (issuer) and aud (audience) as members."
        ),
        why: "Signed claims that were meant for one client can be handed to another.",
        reads: UserInfoSlots.tokens,
        exempt: { subject, _ in subject.isSigned && subject.claims != nil ? nil : notRead },
        rule: { subject, facts in
            let claims = subject.claims ?? [:]
            return UserInfoJWT.issuerFaults(claims, facts)
                + UserInfoJWT.audienceFaults(claims, for: subject.asked.clientID)
        }
    )

    package static let all: [Check] = [isAsRegistered, verifies, namesTheParties]

    private static func registered(_ subject: AnsweredCall, _ facts: Facts) -> String? {
        facts.target.client(for: subject.asked.responseType)?.userInfoSignedResponseAlg
    }
}
