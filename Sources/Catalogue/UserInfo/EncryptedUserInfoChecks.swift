package import Conformance

/// UserInfo for a client that registered for an encrypted response (Core section 5.3.2).
package enum EncryptedUserInfoChecks {
    private static let answers = SpecialUserInfo.query(
        "UserInfo of a client registered for an encrypted response",
        "userinfo_encrypted_response_alg",
        .encryptedForEC
    )

    private static let notEncrypted = "the UserInfo response is not encrypted"

    static let isAJWE = Check(
        "userinfo.encrypted.is-a-jwe",
        "UserInfo returns an encrypted response if the client registered for one",
        .must,
        .safety,
        Citation(
            .core,
            "5.3.2",
            "If the UserInfo Response is signed and/or encrypted, then the Claims are returned in a JWT and the content-type MUST be application/jwt."
        ),
        why: "Anyone who handles the response on its way can read claims that only the platform should see.",
        reads: answers,
        finding: { subject, _ in
            let response = subject.value.answer.response
            let isJWE = subject.value.jwt?.encryption != nil && response.mediaType == "application/jwt"
            guard response.status != 200 || !isJWE else { return nil }
            return Finding(
                "UserInfo does not return an encrypted response although the client registered for one.",
                at: "Content-Type",
                expected: "a JWE of 5 parts, with the media type application/jwt",
                found: "HTTP status \(response.status), \(response.header("Content-Type")?.shown() ?? "no media type")",
                fix:
                    "Encrypt UserInfo for clients with userinfo_encrypted_response_alg, and send it as application/jwt."
            )
        }
    )

    static let hasTheAlgorithms = Check(
        "userinfo.encrypted.has-the-algorithms",
        "UserInfo is encrypted with the algorithms that the client registered",
        .must,
        .conformance,
        Citation(.registration, "2", "JWE alg algorithm REQUIRED for encrypting UserInfo Responses."),
        why: "The client rejects or cannot decrypt a response with an algorithm that it did not register.",
        reads: answers,
        exempt: { subject, _ in subject.value.jwt?.encryption == nil ? notEncrypted : nil },
        rule: { subject, _ in subject.value.jwt.map { RegisteredForm.differences(subject, "userinfo", $0) } ?? [] }
    )

    static let decrypts = Check(
        "userinfo.encrypted.decrypts",
        "Encrypted UserInfo can be decrypted with the client's key",
        .must,
        .conformance,
        Citation(
            .core,
            "10.2",
            "The other public key used for the key agreement computation MUST be a public key published by the Recipient in its JWK Set document."
        ),
        why: "The platform cannot read the claims, and the user's account has no name or email address.",
        reads: answers,
        supersededBy: ["userinfo.encrypted.has-the-algorithms"],
        exempt: { subject, _ in subject.value.jwt?.encryption == nil ? notEncrypted : nil },
        finding: { subject, _ in subject.value.jwt.flatMap { RegisteredForm.failure($0, "UserInfo") } }
    )

    static let subjectMatches = Check(
        "userinfo.encrypted.sub-matches-id-token",
        "Encrypted UserInfo has the same sub as the ID Token",
        .must,
        .safety,
        Citation(.core, "5.3.2", "The sub (subject) Claim MUST always be returned in the UserInfo Response."),
        why: "The client must discard the claims, because they may belong to another user.",
        reads: answers,
        exempt: SpecialUserInfo.whyNoClaims,
        finding: { subject, _ in subject.value.otherSubject }
    )

    package static let all: [Check] = [isAJWE, hasTheAlgorithms, decrypts, subjectMatches]
}
