package import Conformance
import JSONTree

/// What is told of tokens (RFC 7662 section 2.2).
package enum IntrospectionAnswerChecks {
    private static let live = answered(.introspectedAlive)
    private static let notActive = "the token is not said to be active"

    package static let endpointIsThere = Check(
        "introspection.endpoint.is-there",
        "The introspection endpoint that the metadata name is there",
        .must,
        .conformance,
        Citation(.rfc7662, "2.2", "The server responds with a JSON object [RFC7159] in \"application/json\" format"),
        why: "Resource servers that look the endpoint up get no answer and refuse every token.",
        reads: Conversations.answer(.accessTokenLife, .introspectedAlive),
        finding: { subject, _ in
            guard [404, 405, 410, 501].contains(subject.response.status) else { return nil }
            return Finding(
                "The introspection endpoint is advertised, and answers with \(subject.phrase).",
                at: "/introspection_endpoint",
                expected: "200",
                found: String(subject.response.status),
                fix: "Serve introspection at introspection_endpoint by POST, or take the member out of the metadata."
            )
        }
    )

    package static let contentTypeIsJSON = Check(
        "introspection.content-type.is-json",
        "The introspection response is marked as application/json",
        .must,
        .conformance,
        Citation(.rfc7662, "2.2", "The server responds with a JSON object [RFC7159] in \"application/json\" format"),
        why: "Resource servers do not read an answer of another media type and refuse the token.",
        reads: live,
        finding: { subject, _ in JSONAnswer.mediaType(subject.response, "The introspection response") }
    )

    package static let activeIsBoolean = Check(
        "introspection.active.is-a-boolean",
        "The introspection response has the member active, which is true or false",
        .must,
        .safety,
        Citation(.rfc7662, "2.2", "active REQUIRED. Boolean indicator"),
        why: "A resource server that takes the string \"false\" for true lets everybody in.",
        reads: live,
        finding: { subject, _ in
            guard subject.object?["active"]?.boolValue == nil else { return nil }
            let active = subject.object?["active"]
            return Finding(
                "The introspection response does not say with true or false whether the token is active.",
                at: "/active",
                expected: "true or false",
                found: active?.shown ?? (subject.object == nil ? "no JSON object" : "missing"),
                fix: "Return active as a JSON boolean."
            )
        }
    )

    package static let liveIsActive = Check(
        "introspection.live-token.is-active",
        "The client is told that its fresh access token is active",
        // Rightly not, where the token is meant for others than the client: then it is not allowed to introspect it.
        .may,
        .conformance,
        Citation(.rfc7662, "2.2", "Boolean indicator of whether or not the presented token is currently active"),
        why: "Resource servers that share the client's credentials refuse everybody.",
        reads: live,
        excusedBy: ["token.access-token.has-legal-characters", "token.access-token.is-varied"],
        exempt: { subject, _ in
            subject.object?["active"]?.boolValue == nil ? "active is neither true nor false" : nil
        },
        finding: { subject, _ in
            guard subject.object?["active"] == false else { return nil }
            return Finding(
                "An access token that had just been issued to this client is said to be inactive.",
                at: "/active",
                expected: "true",
                found: "false",
                fix: "Look the access token up where it is kept. Nothing must change where its audience is another "
                    + "than this client: who may not introspect a token is told that it is inactive."
            )
        }
    )

    package static let membersHaveRightTypes = Check(
        "introspection.members.have-right-types",
        "The members of an introspection response have the types that are laid down",
        .must,
        .conformance,
        Citation(.rfc7662, "2.2", "Integer timestamp, measured in the number of seconds since January 1 1970 UTC"),
        why: "Typed resource servers refuse the whole answer.",
        reads: live,
        exempt: { subject, _ in subject.object?["active"] == true ? nil : notActive },
        rule: { subject, _ in
            guard let given = subject.object else { return [] }
            // null stands for a member that was left out.
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

    package static let issuerIsRight = Check(
        "introspection.iss.is-the-issuer",
        "iss of an introspection response is the issuer",
        .risk,
        .conformance,
        Citation(.rfc7662, "2.2", "String representing the issuer of this token"),
        why: "Resource servers that compare the issuer refuse the token.",
        reads: live,
        exempt: { subject, _ in
            guard subject.object?["active"] == true else { return notActive }
            return subject.object?["iss"]?.stringValue == nil ? "the answer has no iss" : nil
        },
        finding: { subject, facts in
            guard let text = subject.object?["iss"]?.stringValue, !facts.isIssuer(text) else { return nil }
            return Finding(
                "iss of the introspection response is not the issuer.",
                at: "/iss",
                expected: facts.issuer,
                found: text.shown(),
                fix: "Return the issuer of the discovery document."
            )
        }
    )

    package static let clientIsRight = Check(
        "introspection.client-id.is-the-client",
        "client_id of an introspection response is the client that got the token",
        .must,
        .safety,
        Citation(.rfc7662, "2.2", "Client identifier for the OAuth 2.0 client that requested this token"),
        why: "Resource servers that let in certain clients only refuse the right one, or let in another.",
        reads: live,
        exempt: { subject, _ in
            guard subject.object?["active"] == true else { return notActive }
            return subject.object?["client_id"]?.stringValue == nil ? "the answer has no client_id" : nil
        },
        finding: { subject, _ in
            guard let id = subject.object?["client_id"]?.stringValue, id != subject.asked.clientID else { return nil }
            return Finding(
                "client_id of the introspection response is another client.",
                at: "/client_id",
                expected: subject.asked.clientID,
                found: id.shown(),
                fix: "Return the client that the token was issued to."
            )
        }
    )

    package static let unknownIsInactive = Check(
        "introspection.unknown-token.is-inactive",
        "A token that was never issued is said to be inactive",
        .must,
        .safety,
        Citation(
            .rfc7662,
            "2.2",
            "MUST return an introspection response with the \"active\" field set to \"false\""
        ),
        why: "An error looks like a failure of the provider; with any other answer whoever made up the token gets in.",
        reads: answered(.introspectedMadeUp),
        excusedBy: ["introspection.active.is-a-boolean", "introspection.content-type.is-json"],
        finding: { subject, _ in
            guard subject.object?["active"] != false || !subject.isSuccess else { return nil }
            return Finding(
                "A made-up token was answered with \(subject.phrase).",
                at: "/active",
                expected: "HTTP status 200 and active false",
                found: subject.object?["active"]?.shown ?? subject.phrase,
                fix: "Answer {\"active\": false} with HTTP status 200 for tokens that are unknown."
            )
        }
    )

    package static let unknownSaysNothing = Check(
        "introspection.unknown-token.says-nothing-more",
        "Nothing more is said of a token that was never issued",
        .should,
        .safety,
        Citation(.rfc7662, "2.2", "SHOULD NOT include any additional information about an inactive token"),
        why: "Whoever tries tokens learns how near the guess was.",
        reads: answered(.introspectedMadeUp),
        exempt: { subject, _ in
            subject.object?["active"] == false ? nil : "the token is not said to be inactive"
        },
        finding: { subject, _ in
            let more = (subject.object?.members ?? []).map(\.name).filter { $0 != "active" }
            guard let first = more.first else { return nil }
            return Finding(
                "The answer about a made-up token says more than that it is inactive.",
                at: "/" + first,
                expected: "active alone",
                found: more.joined(separator: ", ").shown(),
                fix: "Return {\"active\": false} and nothing else."
            )
        }
    )

    package static let revokedIsInactive = Check(
        "introspection.revoked-token.is-inactive",
        "A token that was revoked is said to be inactive",
        .must,
        .safety,
        Citation(
            .rfc7662,
            "4",
            "the authorization server MUST determine whether or not such a revocation has taken place"
        ),
        why: "Whoever kept the token is let in after the person has signed out.",
        reads: answered(.introspectedRevoked),
        excusedBy: ["introspection.unknown-token.is-inactive"],
        exempt: { _, facts in
            guard facts.answer(.accessTokenLife, .revoke)?.response.status == 200 else {
                return "the token was not revoked, which another check reports"
            }
            return facts.answer(.accessTokenLife, .userInfo)?.isSuccess == true
                ? "UserInfo takes revoked tokens as well, which another check reports" : nil
        },
        finding: { subject, _ in
            guard subject.object?["active"] == true else { return nil }
            return Finding(
                "A token is said to be active right after its revocation was confirmed.",
                at: "/active",
                expected: "false",
                found: "true",
                fix: "Let introspection look tokens up where revocation deletes them."
            )
        }
    )

    package static let all: [Check] = [
        endpointIsThere, contentTypeIsJSON, activeIsBoolean, liveIsActive, membersHaveRightTypes, issuerIsRight,
        clientIsRight,
        unknownIsInactive, unknownSaysNothing, revokedIsInactive,
    ]

    /// The answer to a client that authenticated well; one that may not introspect is told nothing.
    private static func answered(_ id: StepID) -> Slot<AnsweredCall> {
        let slot = Conversations.answer(.accessTokenLife, id)
        return slot.narrowed(slot.name) { sample, facts in
            Sample<AnsweredCall>(
                sample.observation.flatMap { answer in
                    let mayAsk = facts.answer(.accessTokenLife, .introspectedAlive)?.isSuccess ?? false
                    return mayAsk ? .observed(answer) : .notAttempted("this client may not introspect tokens")
                },
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
