package import Conformance

/// What becomes of authorization codes.
package enum CodeChecks {
    package static let isSingleUse = Check(
        "token.code.is-single-use",
        "A code that was redeemed is refused the second time",
        .must,
        Citation(
            .rfc6749,
            "4.1.2",
            "The client MUST NOT use the authorization code more than once. If an authorization code is used more than once, the authorization server MUST deny the request"
        ),
        why: "A code that leaked through a log or a referrer still opens the account of whoever signed in.",
        reads: Conversations.call(.codeTwice, "again"),
        excusedBy: ["token.made-up-code.is-refused"]
    ) { subject, _ in
        guard subject.gaveTokens else { return [] }
        return [
            Finding(
                "The token endpoint gave tokens for a code that had been redeemed before.",
                at: "code",
                expected: "HTTP status 400 and error invalid_grant",
                found: subject.phrase,
                fix: "Mark a code as used in the same step that redeems it, and answer invalid_grant afterwards."
            )
        ]
    }

    package static let all: [Check] = [isSingleUse]
}
