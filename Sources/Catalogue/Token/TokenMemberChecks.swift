package import Conformance
import JSONTree

/// The members of a token response.
package enum TokenMemberChecks {
    static let accessTokenIsPresent = Check(
        "token.access-token.is-present",
        "The token response contains an access token",
        .must,
        .signIn,
        Citation(.rfc6749, "5.1", "access_token REQUIRED."),
        why: "Clients fail without an access token, and cannot call UserInfo.",
        reads: StepResults.tokenSuccesses,
        finding: { subject, _ in
            if let text = subject.1["access_token"]?.stringValue, !text.isEmpty { return nil }
            return missing("access_token", subject.1["access_token"], "a string", "Return access_token as a string.")
        }
    )

    static let accessTokenIsLegal = Check(
        "token.access-token.has-legal-characters",
        "The access token consists of printable ASCII characters",
        .must,
        .signIn,
        Citation(.rfc6749, "A.12", "access-token = 1*VSCHAR"),
        why: "Other characters are corrupted in the Authorization header.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in subject.0.answer.accessToken == nil ? "the response has no access token" : nil },
        rule: { subject, _ in illegal("access_token", subject.0.answer.accessToken) }
    )

    static let accessTokenFitsBearer = Check(
        "token.access-token.fits-the-bearer-header",
        "The Bearer token contains only characters allowed in the Authorization header",
        .must,
        .conformance,
        Citation(.rfc6750, "2.1", "credentials = \"Bearer\" 1*SP b64token"),
        why: "A space or a quotation mark truncates the token, and UserInfo and every API reject it.",
        reads: StepResults.tokenSuccesses,
        supersededBy: ["token.access-token.has-legal-characters"],
        exempt: { subject, _ in
            if subject.0.answer.accessToken?.isB64Token == nil { return "the response has no access token" }
            return TokenType(subject.1["token_type"]).isBearer ? nil : "the token_type is missing or not Bearer"
        },
        finding: { subject, _ in
            guard subject.0.answer.accessToken?.isB64Token == false else { return nil }
            return Finding(
                "The access token contains characters that are not allowed in a Bearer token.",
                at: "/access_token",
                expected: "A-Z a-z 0-9 - . _ ~ + /, with = only at the end",
                found: "other characters, such as a space or a quotation mark",
                fix: "Encode access tokens in base64url."
            )
        }
    )

    static let refreshTokenIsLegal = Check(
        "token.refresh-token.has-legal-characters",
        "The refresh token consists of printable ASCII characters",
        .must,
        .conformance,
        Citation(.rfc6749, "A.17", "refresh-token = 1*VSCHAR"),
        why: "Other characters are corrupted in transit, and the refresh fails.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in
            subject.0.answer.refreshToken == nil ? "the response has no refresh token, which is optional" : nil
        },
        rule: { subject, _ in illegal("refresh_token", subject.0.answer.refreshToken) }
    )

    static let refreshTokenIsAText = Check(
        "token.refresh-token.is-a-text",
        "refresh_token, if present, is a non-empty string",
        .must,
        .signIn,
        Citation(.rfc6749, "A.17", "refresh-token = 1*VSCHAR"),
        why: "openid-client, oauth4webapi and Auth.js reject the whole response if refresh_token is null or empty.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in
            subject.1.has("refresh_token") ? nil : "the response has no refresh token, which is optional"
        },
        finding: { subject, _ in
            let value = subject.1["refresh_token"]
            guard value?.stringValue?.isEmpty != false else { return nil }
            return missing(
                "refresh_token",
                value,
                "a token, or no such member",
                "Omit refresh_token if no refresh token is issued."
            )
        }
    )

    static let hasNoError = Check(
        "token.response.has-no-error-beside-tokens",
        "A response with tokens has no error member",
        // The specification only describes error responses; it does not forbid the member in others.
        .risk,
        .signIn,
        Citation(.rfc6749, "5.2", "responds with an HTTP 400 (Bad Request) status code"),
        why: "Clients that check for error reject the response, even if error is null: Authlib, idpyoidc, pyoidc.",
        reads: StepResults.tokenSuccesses,
        finding: { subject, _ in
            guard let error = subject.1["error"], subject.1.has("access_token") else { return nil }
            return Finding(
                "The token response contains error together with tokens.",
                at: "/error",
                expected: "no such member",
                found: error.serialized().shown(limit: 60),
                fix: "Omit error from responses with tokens."
            )
        }
    )

    static let tokenTypeIsPresent = Check(
        "token.token-type.is-present",
        "The token response contains token_type",
        .must,
        .signIn,
        Citation(.rfc6749, "5.1", "token_type REQUIRED."),
        why: "A client must not use an access token of unknown type.",
        reads: StepResults.tokenSuccesses,
        finding: { subject, _ in
            guard TokenType(subject.1["token_type"]).isMissing else { return nil }
            return missing("token_type", subject.1["token_type"], "Bearer", "Return \"token_type\": \"Bearer\".")
        }
    )

    static let tokenTypeIsBearer = Check(
        "token.token-type.is-bearer",
        "The access token is a Bearer token",
        .must,
        .signIn,
        Citation(.core, "3.1.3.3", "The OAuth 2.0 token_type response parameter value MUST be Bearer"),
        why: "Ordinary OpenID Connect clients can use only Bearer tokens.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in TokenType(subject.1["token_type"]).isMissing ? "the response has no token_type" : nil },
        finding: { subject, facts in
            let type = TokenType(subject.1["token_type"])
            return type.finding(
                facts,
                "The access token is of type \((type.text ?? "").quoted).",
                at: "/token_type",
                fix: "Return \"token_type\": \"Bearer\"."
            )
        }
    )

    static let expiresInIsPresent = Check(
        "token.expires-in.is-present",
        "The token response contains expires_in",
        .should,
        .conformance,
        Citation(.rfc6749, "5.1", "expires_in RECOMMENDED."),
        why: "Without the lifetime, a client notices an expired token only when a request fails.",
        reads: StepResults.tokenSuccesses,
        finding: { subject, _ in
            guard !subject.1.has("expires_in") else { return nil }
            return missing("expires_in", nil, "a number of seconds", "Return expires_in, as in \"expires_in\": 3600.")
        }
    )

    static let expiresInIsANumber = Check(
        "token.expires-in.is-a-number",
        "expires_in is a JSON number",
        .must,
        .signIn,
        Citation(.rfc6749, "A.14", "expires-in = 1*DIGIT"),
        why: "Some typed clients reject the whole response if expires_in is a string.",
        reads: StepResults.tokenSuccesses,
        supersededBy: ["token.expires-in.is-readable"],
        exempt: { subject, _ in subject.1.has("expires_in") ? nil : "the response has no expires_in" },
        finding: { subject, _ in
            guard let value = subject.1["expires_in"], value.numberValue == nil else { return nil }
            return Finding(
                "expires_in is \(value.kind.phrase).",
                at: "/expires_in",
                expected: "a JSON number",
                found: value.shown,
                fix: "Write the number without quotation marks, as in \"expires_in\": 3600."
            )
        }
    )

    static let expiresInHasNoFraction = Check(
        "token.expires-in.has-no-fraction",
        "expires_in is written with digits only, without a fraction or an exponent",
        .must,
        .signIn,
        Citation(.rfc6749, "A.14", "expires-in = 1*DIGIT"),
        why: "Clients that read an integer, such as those in Go, reject the whole response.",
        reads: StepResults.tokenSuccesses,
        supersededBy: ["token.expires-in.is-readable"],
        exempt: { subject, _ in
            subject.1["expires_in"]?.numberValue == nil ? "the response has no numeric expires_in" : nil
        },
        finding: { subject, _ in
            guard let value = subject.1["expires_in"], !value.isWholeNumber else { return nil }
            return Finding(
                "expires_in has a fraction or an exponent.",
                at: "/expires_in",
                expected: "digits only",
                found: value.shown,
                fix: "Write the number with digits only, as in \"expires_in\": 3600."
            )
        }
    )

    static let expiresInIsReadable = Check(
        "token.expires-in.is-readable",
        "expires_in is a number below 2^63, or a string that contains one",
        .must,
        .signIn,
        Citation(.rfc6749, "A.14", "expires-in = 1*DIGIT"),
        why:
            "Clients that accept a string or a fraction still convert it to a number, and reject the response if they cannot.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in subject.1["expires_in"]?.isNull ?? true ? "the response has no expires_in" : nil },
        finding: { subject, _ in
            guard let value = subject.1["expires_in"], !value.isReadableAsSeconds else { return nil }
            return Finding(
                "expires_in is not a number of seconds.",
                at: "/expires_in",
                expected: "a JSON number",
                found: value.shown,
                fix: "Set expires_in to the remaining lifetime in seconds, as in \"expires_in\": 3600."
            )
        }
    )

    static let expiresInIsNotNegative = Check(
        "token.expires-in.is-not-negative",
        "expires_in is not negative",
        .must,
        .signIn,
        Citation(.rfc6749, "A.14", "expires-in = 1*DIGIT"),
        why: "A client treats the access token as already expired and never uses it.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in
            subject.1["expires_in"]?.numberValue == nil ? "the response has no numeric expires_in" : nil
        },
        finding: { subject, _ in
            guard let value = subject.1["expires_in"], let seconds = value.numberValue, seconds < 0 else { return nil }
            return Finding(
                "expires_in is negative.",
                at: "/expires_in",
                expected: "digits only",
                found: value.shown,
                fix: "Set expires_in to the remaining lifetime in seconds."
            )
        }
    )

    static let expiresInIsPlausible = Check(
        "token.expires-in.is-plausible",
        "The access token is valid for between 1 second and 1 year",
        .risk,
        .conformance,
        Citation(.rfc6749, "5.1", "The lifetime in seconds of the access token."),
        why: "A lifetime of 0 makes the token useless; milliseconds read as seconds make clients keep it for decades.",
        reads: StepResults.tokenSuccesses,
        supersededBy: ["token.expires-in.is-not-negative", "token.expires-in.is-readable"],
        exempt: { subject, _ in
            subject.1["expires_in"]?.numberValue == nil ? "the response has no numeric expires_in" : nil
        },
        finding: { subject, _ in
            guard let value = subject.1["expires_in"], let seconds = value.numberValue,
                !(1...31_536_000).contains(seconds)
            else { return nil }
            return Finding(
                "expires_in states a lifetime of \(value.shown) seconds.",
                at: "/expires_in",
                expected: "1 to 31536000 seconds",
                found: "\(value.shown) seconds",
                fix: "Set expires_in to the remaining lifetime in seconds."
            )
        }
    )

    static let idTokenIsPresent = Check(
        "token.id-token.is-present",
        "The token response contains an ID Token",
        .must,
        .signIn,
        Citation(.core, "3.1.3.3", "the following parameters MUST be included in the response"),
        why: "Without the ID Token the client does not know who signed in.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in
            subject.0.asked.askedScopes.contains("openid") ? nil : "the scope openid was not requested"
        },
        finding: { subject, _ in
            if let text = subject.1["id_token"]?.stringValue, !text.isEmpty { return nil }
            return missing(
                "id_token",
                subject.1["id_token"],
                "an ID Token",
                "Grant the scope openid to this client, and return id_token."
            )
        }
    )

    package static let all: [Check] = [
        accessTokenIsPresent, accessTokenIsLegal, accessTokenFitsBearer, refreshTokenIsLegal, refreshTokenIsAText,
        hasNoError, tokenTypeIsPresent, tokenTypeIsBearer, expiresInIsPresent, expiresInIsReadable, expiresInIsANumber,
        expiresInHasNoFraction, expiresInIsNotNegative, expiresInIsPlausible, idTokenIsPresent,
    ]

    private static func missing(_ name: String, _ value: JSON?, _ expected: String, _ fix: String) -> Finding {
        Finding(
            "The token response has no usable \(name).",
            at: "/" + name,
            expected: expected,
            found: value.map { $0.stringValue == nil ? $0.kind.phrase : "an empty string" } ?? "missing",
            fix: fix
        )
    }

    private static func illegal(_ name: String, _ facts: SecretFacts?) -> [Finding] {
        guard let facts, !facts.isVisibleASCII else { return [] }
        return [
            Finding(
                "\(name) contains characters outside printable ASCII.",
                at: "/" + name,
                expected: "characters %x20-7E",
                found: "other characters among the \(facts.length) characters of the token",
                fix: "Encode \(name) in base64url."
            )
        ]
    }
}
