package import Conformance
import JSONTree

/// UserInfo for a client that registered for a signed response (Core section 5.3.2).
package enum SignedUserInfoChecks {
    private static let answers = SpecialUserInfo.query(
        "UserInfo of a client registered for a signed response",
        "userinfo_signed_response_alg",
        .encryptedForRSA
    )

    private static let notSigned = "the UserInfo response is not a signed JWT"

    static let isAJWT = Check(
        "userinfo.signed.is-a-jwt",
        "UserInfo returns a signed JWT if the client registered for one",
        .must,
        .conformance,
        Citation(
            .core,
            "5.3.2",
            "If the UserInfo Response is signed and/or encrypted, then the Claims are returned in a JWT and the content-type MUST be application/jwt."
        ),
        why: "A client that relies on the signature cannot use an unsigned response.",
        reads: answers,
        finding: { subject, _ in
            let response = subject.value.answer.response
            guard response.status != 200 || response.mediaType != "application/jwt" || subject.value.jwt?.partCount != 3
            else { return nil }
            return Finding(
                "UserInfo does not return a signed JWT although the client registered for one.",
                at: "Content-Type",
                expected: "a JWS of 3 parts, with the media type application/jwt",
                found: "HTTP status \(response.status), \(response.header("Content-Type")?.shown() ?? "no media type")",
                fix: "Sign UserInfo for clients with userinfo_signed_response_alg, and send it as application/jwt."
            )
        }
    )

    static let hasTheAlgorithm = Check(
        "userinfo.signed.has-the-algorithm",
        "Signed UserInfo has the registered userinfo_signed_response_alg",
        .must,
        .conformance,
        Citation(.registration, "2", "JWS alg algorithm REQUIRED for signing UserInfo Responses."),
        why: "The client must reject any other algorithm, and gets no claims.",
        reads: answers,
        exempt: { subject, _ in subject.value.jwt?.headerObject == nil ? notSigned : nil },
        finding: { subject, _ in
            RegisteredForm.otherAlgorithm(
                subject,
                "userinfo",
                subject.value.jwt?.headerObject,
                "UserInfo is",
                fix: "Sign UserInfo with the client's userinfo_signed_response_alg."
            )
        }
    )

    package static let verifies = Check(
        "userinfo.signed.verifies",
        "The signature of UserInfo verifies with a published key",
        .must,
        .conformance,
        Citation(
            .core,
            "10.1",
            "The private key used to sign the content MUST be associated with a public key used for signature verification published by the sender in its JWK Set document."
        ),
        why: "Clients reject the claims, and the user's account has no name or email address.",
        reads: answers,
        supersededBy: ["userinfo.signed.has-the-algorithm", "keys.signing-key.is-present"]
            + SigningKeyChecks.all.map(\.id),
        exempt: { subject, _ in subject.value.jwt?.headerObject == nil ? notSigned : nil },
        rule: { subject, facts in subject.value.jwt.map { UserInfoJWT.signatureFaults($0, facts) } ?? [] }
    )

    static let namesTheIssuer = Check(
        "userinfo.signed.has-issuer",
        "Signed UserInfo has the issuer as iss",
        .must,
        .conformance,
        Citation(
            .core,
            "5.3.2",
            "If signed, the UserInfo Response MUST contain the Claims iss (issuer) and aud (audience) as members."
        ),
        why: "Clients that verify iss reject the response. "
            + "Clients that read signed UserInfo as plain claims notice nothing.",
        reads: answers,
        exempt: SpecialUserInfo.whyNoClaims,
        rule: { subject, facts in UserInfoJWT.issuerFaults(subject.value.claims ?? [:], facts) }
    )

    static let namesTheClient = Check(
        "userinfo.signed.has-audience",
        "Signed UserInfo contains the client ID in aud",
        .must,
        .conformance,
        Citation(.core, "5.3.2", "The aud value MUST be or include the RP's Client ID value."),
        why: "Clients that verify aud reject the response. "
            + "Clients that read signed UserInfo as plain claims notice nothing.",
        reads: answers,
        exempt: SpecialUserInfo.whyNoClaims,
        rule: { subject, _ in UserInfoJWT.audienceFaults(subject.value.claims ?? [:], for: subject.run.clientID) }
    )

    static let subjectMatches = Check(
        "userinfo.signed.sub-matches-id-token",
        "Signed UserInfo has the same sub as the ID Token",
        .must,
        .safety,
        Citation(.core, "5.3.2", "The sub (subject) Claim MUST always be returned in the UserInfo Response."),
        why: "The client must discard the claims, because they may belong to another user.",
        reads: answers,
        exempt: SpecialUserInfo.whyNoClaims,
        finding: { subject, _ in subject.value.otherSubject }
    )

    static let hasNoNonce = Check(
        "userinfo.signed.has-no-nonce",
        "Signed UserInfo has no nonce",
        .risk,
        .conformance,
        Citation(.rfc8725, "3.12", "Use Mutually Exclusive Validation Rules for Different Kinds of JWTs"),
        why: "A careless client accepts a signed response with iss, aud and nonce as an ID Token.",
        reads: answers,
        exempt: SpecialUserInfo.whyNoClaims,
        finding: { subject, _ in
            guard let nonce = subject.value.claims?["nonce"] else { return nil }
            return .claim(
                "nonce",
                "Signed UserInfo contains a nonce.",
                expected: "no nonce",
                found: nonce,
                fix: "Omit nonce from UserInfo; only ID Tokens contain it."
            )
        }
    )

    package static let all: [Check] = [
        isAJWT, hasTheAlgorithm, verifies, namesTheIssuer, namesTheClient, subjectMatches, hasNoNonce,
    ]
}
