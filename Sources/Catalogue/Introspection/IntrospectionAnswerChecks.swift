package import Conformance
import JSONTree

/// The introspection response (RFC 7662 section 2.2).
package enum IntrospectionAnswerChecks {
    private static let live = answered(.introspectedAlive)
    private static let notActive = "the introspection response does not have active true"

    static let endpointIsThere = Check(
        "introspection.endpoint.is-there",
        "The advertised introspection endpoint exists and accepts POST",
        .must,
        .conformance,
        Citation(.rfc7662, "2.2", "The server responds with a JSON object [RFC7159] in \"application/json\" format"),
        why: "Resource servers that use the advertised endpoint reject every token.",
        reads: StepResults.answer(.accessTokenLife, .introspectedAlive),
        finding: { subject, _ in
            guard [404, 405, 410, 501].contains(subject.response.status) else { return nil }
            return Finding(
                "The advertised introspection endpoint returns \(subject.phrase).",
                at: "/introspection_endpoint",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: "Accept POST at introspection_endpoint, or remove the member from the metadata."
            )
        }
    )

    static let contentTypeIsJSON = Check(
        "introspection.content-type.is-json",
        "The introspection response has the media type application/json",
        .must,
        .conformance,
        Citation(.rfc7662, "2.2", "The server responds with a JSON object [RFC7159] in \"application/json\" format"),
        why: "Resource servers cannot read a response with another media type, and reject the token.",
        reads: live,
        finding: { subject, _ in JSONAnswer.mediaType(subject.response, "The introspection response") }
    )

    static let activeIsBoolean = Check(
        "introspection.active.is-a-boolean",
        "The introspection response has the boolean member active",
        .must,
        .safety,
        Citation(.rfc7662, "2.2", "active REQUIRED. Boolean indicator"),
        why: "A resource server that evaluates the string \"false\" as true accepts the token of an attacker.",
        reads: live,
        finding: { subject, _ in
            guard subject.object?["active"]?.boolValue == nil else { return nil }
            let active = subject.object?["active"]
            return Finding(
                "The member active of the introspection response is missing or not a boolean.",
                at: "/active",
                expected: "true or false",
                found: active?.shown ?? (subject.object == nil ? "no JSON object" : "missing"),
                fix: "Return active as a JSON boolean."
            )
        }
    )

    static let liveIsActive = Check(
        "introspection.live-token.is-active",
        "The introspection endpoint returns active true for the client's fresh access token",
        // active false is correct for a token with another audience: the client may not introspect it.
        .may,
        .conformance,
        Citation(.rfc7662, "2.2", "Boolean indicator of whether or not the presented token is currently active"),
        why: "Resource servers that share the client's credentials reject every user.",
        reads: live,
        supersededBy: ["token.access-token.has-legal-characters", "token.access-token.is-varied"],
        exempt: { subject, _ in
            subject.object?["active"]?.boolValue == nil ? "active is not a boolean, which another check reports" : nil
        },
        finding: { subject, _ in
            guard subject.object?["active"] == false else { return nil }
            return Finding(
                "The introspection endpoint returns active false for an access token that was just issued to this client.",
                at: "/active",
                expected: "true",
                found: "false",
                fix: "Return active true for valid access tokens. No change is needed if the token has another "
                    + "audience: a client that may not introspect a token gets active false."
            )
        }
    )

    static let membersHaveRightTypes = Check(
        "introspection.members.have-right-types",
        "The members of the introspection response have the specified types",
        .must,
        .conformance,
        Citation(.rfc7662, "2.2", "Integer timestamp, measured in the number of seconds since January 1 1970 UTC"),
        why: "Typed resource servers reject the whole response.",
        reads: live,
        exempt: { subject, _ in subject.object?["active"] == true ? nil : notActive },
        rule: { subject, _ in
            guard let given = subject.object else { return [] }
            // null counts as a missing member.
            let object = JSONObject(given.members.filter { !$0.value.isNull })
            let texts = ["scope", "client_id", "username", "token_type", "sub", "iss", "jti"]
            let wrongTexts = texts.filter { object.has($0) && object[$0]?.stringValue == nil }
                .map { wrong($0, object[$0], "a string") }
            let wrongTimes = ["exp", "iat", "nbf"].filter { object.has($0) && object[$0]?.integerValue == nil }
                .map { wrong($0, object[$0], "an integer") }
            let isAudienceRight =
                !object.has("aud") || object["aud"]?.stringValue != nil || object["aud"]?.strings != nil
            return wrongTexts + wrongTimes
                + (isAudienceRight ? [] : [wrong("aud", object["aud"], "a string or a list of strings")])
        }
    )

    static let expiryIsAhead = Check(
        "introspection.exp.is-in-the-future",
        "exp of the introspection response is in the future if active is true",
        .must,
        .conformance,
        Citation(.rfc7662, "2.2", "indicating when this token will expire"),
        why: "Resource servers that read exp reject every user.",
        reads: live,
        supersededBy: ["introspection.members.have-right-types"],
        exempt: { subject, _ in
            guard subject.object?["active"] == true else { return notActive }
            return subject.object?["exp"]?.numberValue == nil ? "the introspection response has no exp" : nil
        },
        finding: { subject, facts in
            guard let exp = subject.object?["exp"]?.numberValue,
                let exchange = facts.evidence.exchange(subject.answer.exchange),
                exp < exchange.startedAt + (ClockSkew.of(exchange) ?? 0) - 300
            else { return nil }
            return Finding(
                "exp of the introspection response is in the past, although active is true.",
                at: "/exp",
                expected: "the time at which the access token expires",
                found: Finding.dated(exp),
                fix: "Set exp to the time at which the access token expires, in seconds since 1970 UTC."
            )
        }
    )

    static let issuerIsRight = Check(
        "introspection.iss.is-the-issuer",
        "iss of the introspection response is the issuer",
        .risk,
        .conformance,
        Citation(.rfc7662, "2.2", "String representing the issuer of this token"),
        why: "Resource servers that compare the issuer reject the token.",
        reads: live,
        exempt: { subject, _ in
            guard subject.object?["active"] == true else { return notActive }
            return subject.object?["iss"]?.stringValue == nil ? "the introspection response has no iss" : nil
        },
        finding: { subject, facts in
            guard let text = subject.object?["iss"]?.stringValue, !facts.isIssuer(text) else { return nil }
            return Finding(
                "iss of the introspection response differs from the issuer.",
                at: "/iss",
                expected: facts.issuer,
                found: text.shown(),
                fix: "Set iss to the issuer of the discovery document."
            )
        }
    )

    static let clientIsRight = Check(
        "introspection.client-id.is-the-client",
        "client_id of the introspection response is the client that the token was issued to",
        .must,
        .safety,
        Citation(.rfc7662, "2.2", "Client identifier for the OAuth 2.0 client that requested this token"),
        why: "Resource servers that allow only certain clients reject the right client or accept another one.",
        reads: live,
        exempt: { subject, _ in
            guard subject.object?["active"] == true else { return notActive }
            return subject.object?["client_id"]?.stringValue == nil
                ? "the introspection response has no client_id" : nil
        },
        finding: { subject, _ in
            guard let id = subject.object?["client_id"]?.stringValue, id != subject.asked.clientID else { return nil }
            return Finding(
                "client_id of the introspection response names another client.",
                at: "/client_id",
                expected: subject.asked.clientID,
                found: id.shown(),
                fix: "Set client_id to the client that the token was issued to."
            )
        }
    )

    static let unknownIsInactive = Check(
        "introspection.unknown-token.is-inactive",
        "The introspection endpoint returns active false for a bogus token",
        .must,
        .safety,
        Citation(.rfc7662, "2.2", "MUST return an introspection response with the \"active\" field set to \"false\""),
        why: "An error looks like a provider failure; any other response lets an attacker use a bogus token.",
        reads: answered(.introspectedBogus),
        supersededBy: ["introspection.active.is-a-boolean", "introspection.content-type.is-json"],
        finding: { subject, _ in
            guard subject.object?["active"] != false || !subject.isSuccess else { return nil }
            return Finding(
                "The introspection endpoint returns \(subject.phrase) for a bogus token.",
                at: "/active",
                expected: "HTTP status 200 and active false",
                found: subject.object?["active"]?.shown ?? subject.phrase,
                fix: "Return {\"active\": false} with HTTP status 200 for unknown tokens."
            )
        }
    )

    static let unknownHasNoOtherMembers = Check(
        "introspection.unknown-token.says-nothing-more",
        "The introspection endpoint returns no member besides active for a bogus token",
        .should,
        .safety,
        Citation(.rfc7662, "2.2", "SHOULD NOT include any additional information about an inactive token"),
        why: "An attacker who tries tokens learns how close a guess was.",
        reads: answered(.introspectedBogus),
        exempt: { subject, _ in
            subject.object?["active"] == false ? nil : "the introspection response does not have active false"
        },
        finding: { subject, _ in
            let more = (subject.object?.members ?? []).map(\.name).filter { $0 != "active" }
            guard let first = more.first else { return nil }
            return Finding(
                "The introspection response for a bogus token has other members besides active.",
                at: "/" + first,
                expected: "active only",
                found: more.joined(separator: ", ").shown(),
                fix: "Return {\"active\": false} and nothing else."
            )
        }
    )

    static let revokedIsInactive = Check(
        "introspection.revoked-token.is-inactive",
        "The introspection endpoint returns active false for a revoked token",
        .must,
        .safety,
        Citation(
            .rfc7662,
            "4",
            "the authorization server MUST determine whether or not such a revocation has taken place"
        ),
        why: "An attacker with a stolen token still has access after the user has signed out.",
        reads: answered(.introspectedRevoked),
        supersededBy: ["introspection.unknown-token.is-inactive"],
        exempt: { _, facts in
            guard facts.answer(.accessTokenLife, .revoke)?.outcome == .granted else {
                return "the token was not revoked, which another check reports"
            }
            return facts.answer(.accessTokenLife, .userInfo)?.isSuccess == true
                ? "UserInfo accepts the revoked token too, which another check reports" : nil
        },
        finding: { subject, _ in
            guard subject.object?["active"] == true else { return nil }
            return Finding(
                "The introspection endpoint returns active true for a token right after its revocation succeeded.",
                at: "/active",
                expected: "false",
                found: "true",
                fix:
                    "Return {\"active\": false} for revoked tokens: look up tokens in the store that revocation updates."
            )
        }
    )

    package static let all: [Check] = [
        endpointIsThere, contentTypeIsJSON, activeIsBoolean, liveIsActive, membersHaveRightTypes, expiryIsAhead,
        issuerIsRight, clientIsRight, unknownIsInactive, unknownHasNoOtherMembers, revokedIsInactive,
    ]

    /// The response to an authenticated client; not attempted if the client may not introspect tokens.
    private static func answered(_ id: StepID) -> Query<CallResult> {
        let query = StepResults.answer(.accessTokenLife, id)
        let alive = StepResults.answer(.accessTokenLife, .introspectedAlive)
        let mayNotIntrospect: Reason = "this client may not introspect tokens"
        return query.narrowed(query.name) { sample, facts in
            Sample<CallResult>(
                alive.samples(facts).first.map(\.observation)
                    .map { alive in
                        alive.flatMap { $0.isSuccess ? sample.observation : .notAttempted(mayNotIntrospect) }
                    } ?? .notAttempted(mayNotIntrospect),
                label: sample.label,
                exchange: sample.exchange
            )
        }
    }

    private static func wrong(_ name: String, _ value: JSON?, _ expected: String) -> Finding {
        Finding(
            "\(name) of the introspection response is \(value?.kind.phrase ?? "missing").",
            at: "/" + name,
            expected: expected,
            found: value?.shown ?? "missing",
            fix: "Return \(name) as \(expected)."
        )
    }
}
