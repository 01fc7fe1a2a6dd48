package import Conformance
import JSONTree

/// UserInfo of the configured clients, if it is a signed JWT (Core section 5.3.2).
package enum UserInfoTokenChecks {
    private static let notRead = "the UserInfo response is not a readable signed JWT"

    static let isAsRegistered = Check(
        "userinfo.jwt.is-as-registered",
        "UserInfo is signed with the registered userinfo_signed_response_alg",
        .must,
        .signIn,
        Citation(.registration, "2", "JWS alg algorithm REQUIRED for signing UserInfo Responses."),
        why: "A client that registered for a signed response rejects plain JSON and any other algorithm.",
        reads: UserInfoQueries.tokens,
        exempt: { subject, facts in
            // Core section 5.3.2: the signed JWT is inside.
            if subject.answer.jwt?.partCount == 5 { return "the response is encrypted, and no key decrypts it" }
            return registered(subject, facts) == nil ? "the client did not register for a signed response" : nil
        },
        finding: { subject, facts in
            guard let registered = registered(subject, facts) else { return nil }
            let alg = subject.answer.jwt?.headerObject?["alg"]?.stringValue
            guard !subject.isSigned || alg != registered else { return nil }
            return Finding(
                subject.isSigned
                    ? "UserInfo is not signed with the algorithm that the client registered."
                    : "UserInfo does not return a JWT although the client registered for a signed response.",
                at: subject.isSigned ? "alg" : "Content-Type",
                expected: subject.isSigned ? registered : "application/jwt, signed with \(registered)",
                found: subject.isSigned
                    ? alg?.shown() ?? "missing" : subject.response.header("Content-Type")?.shown() ?? "missing",
                fix: "Sign UserInfo with the client's userinfo_signed_response_alg, or correct "
                    + "client.userinfo_signed_response_alg in the configuration."
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
        why: "Clients reject the claims, and the user's account has no name or email address.",
        reads: UserInfoQueries.tokens,
        supersededBy: ["userinfo.jwt.is-as-registered", "keys.signing-key.is-present"] + SigningKeyChecks.all.map(\.id),
        exempt: { subject, facts in
            guard subject.answer.jwt?.headerObject != nil, subject.claims != nil else { return notRead }
            return facts.keySet.value == nil ? "there is no key set" : nil
        },
        rule: { subject, facts in subject.answer.jwt.map { UserInfoJWT.signatureFaults($0, facts) } ?? [] }
    )

    static let namesTheParties = Check(
        "userinfo.jwt.names-issuer-and-client",
        "Signed UserInfo has the issuer as iss and contains the client ID in aud",
        .should,
        .conformance,
        Citation(
            .core,
            "5.3.2",
            "If signed, the UserInfo Response SHOULD contain the Claims iss (issuer) and aud (audience) as members."
        ),
        why: "Clients that verify iss and aud reject the response. "
            + "Clients that read signed UserInfo as plain claims notice nothing.",
        reads: UserInfoQueries.tokens,
        exempt: { subject, _ in subject.isSigned && subject.claims != nil ? nil : notRead },
        rule: { subject, facts in
            let claims = subject.claims ?? [:]
            return UserInfoJWT.issuerFaults(claims, facts)
                + UserInfoJWT.audienceFaults(claims, for: subject.asked.clientID)
        }
    )

    package static let all: [Check] = [isAsRegistered, verifies, namesTheParties]

    private static func registered(_ subject: CallResult, _ facts: Facts) -> String? {
        facts.target.client(for: subject.asked.responseType)?.userInfoSignedResponseAlg
    }
}
