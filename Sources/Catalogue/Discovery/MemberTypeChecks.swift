import Conformance
import JSONTree

/// The JSON types of metadata members, and the representation of absent values.
enum MemberTypeChecks {
    static let urls = Check(
        "discovery.url-members.are-strings",
        "Every URL in the discovery document is a string",
        .must,
        .signIn,
        Citation(.discovery, "3", "URL of the OP's OAuth 2.0 Authorization Endpoint"),
        why: "A typed client cannot parse the document if one member has another type.",
        reads: Documents.discovery
    ) { metadata, _ in wrongTypes(MetadataMembers.urls, in: metadata, expected: "a string") { $0.stringValue != nil } }

    static let lists = Check(
        "discovery.list-members.are-lists-of-strings",
        "Every list in the discovery document is an array of strings",
        .must,
        .signIn,
        Citation(.discovery, "4.2", "Claims that return multiple values are represented as JSON arrays"),
        why: "A typed client cannot parse the document if a list is a single string.",
        reads: Documents.discovery
    ) { metadata, _ in
        wrongTypes(MetadataMembers.lists, in: metadata, expected: "an array of strings") { $0.strings != nil }
    }

    static let booleans = Check(
        "discovery.boolean-members.are-booleans",
        "Every flag in the discovery document is a JSON boolean",
        .must,
        .signIn,
        Citation(.discovery, "3", "Boolean value specifying whether the OP supports use of the claims parameter"),
        why: "Typed clients reject the string \"false\", and other clients treat it as true.",
        reads: Documents.discovery
    ) { metadata, _ in
        wrongTypes(MetadataMembers.booleans, in: metadata, expected: "true or false") { $0.boolValue != nil }
    }

    static let newer = Check(
        "discovery.newer-members.have-right-types",
        "Members of newer specifications have the specified JSON types",
        .must,
        .conformance,
        Citation(.rfc8414, "3.2", "Claims that return multiple values are represented as JSON arrays"),
        why: "A client that supports the member cannot read it. Other clients ignore it.",
        reads: Documents.discovery
    ) { metadata, _ in
        let members = MetadataMembers.self
        return wrongTypes(members.newerLists, in: metadata, expected: "an array of strings") { $0.strings != nil }
            + wrongTypes(members.newerBooleans, in: metadata, expected: "true or false") { $0.boolValue != nil }
            + wrongTypes(members.newerTexts, in: metadata, expected: "a string") { $0.stringValue != nil }
    }

    static let issParameter = Check(
        "discovery.authorization-response-iss-parameter-supported.is-a-boolean",
        "The discovery document states support for the iss parameter as a JSON boolean",
        .must,
        .signIn,
        Citation(.rfc9207, "3", "Boolean parameter indicating whether the authorization server provides the iss"),
        why: "A client that protects itself against mix-up attacks cannot determine whether to require iss.",
        reads: Documents.discovery,
        concerns: .ofMember("authorization_response_iss_parameter_supported")
    ) { metadata, _ in
        let member = ["authorization_response_iss_parameter_supported"]
        return wrongTypes(member, in: metadata, expected: "true or false") { $0.boolValue != nil }
    }

    static let notNull = Check(
        "discovery.members.are-not-null",
        "The discovery document leaves out members without a value",
        .risk,
        .conformance,
        Citation(.discovery, "4.2", "Claims with zero elements MUST be omitted from the response"),
        why: "A typed client that expects a string or a list cannot parse null.",
        reads: Documents.discovery
    ) { metadata, _ in
        metadata.object.members.filter { $0.value.isNull && !isReportedAsMissing($0.name) }
            .map { member in
                Finding(
                    "\(member.name.quoted) is null",
                    at: JSONPointer(tokens: [member.name]).description.shown(),
                    expected: "a value, or no such member",
                    found: "null",
                    fix: "Leave \(member.name.quoted) out of the document."
                )
            }
    }

    static let notEmpty = Check(
        "discovery.list-members.are-not-empty",
        "The discovery document leaves out lists without elements",
        .must,
        .conformance,
        Citation(.discovery, "4.2", "Claims with zero elements MUST be omitted from the response"),
        why: "An empty list means that nothing is supported, and clients that follow it stop.",
        reads: Documents.discovery
    ) { metadata, _ in
        metadata.object.members.filter { $0.value.arrayValue?.isEmpty ?? false }
            .map { member in
                let isRequired = MetadataMembers.required.contains(member.name)
                return Finding(
                    "\(member.name.quoted) is an empty list",
                    at: JSONPointer(tokens: [member.name]).description.shown(),
                    expected: isRequired ? "at least one element" : "at least one element, or no such member",
                    found: "[]",
                    fix: isRequired
                        ? "List the supported values in \(member.name.shown(limit: 80)), which is REQUIRED."
                        : "Leave \(member.name.quoted) out of the document, or list the supported values."
                )
            }
    }

    static let noRepetition = Check(
        "discovery.list-members.have-no-repetition",
        "No list in the discovery document repeats a value",
        .may,
        .conformance,
        Citation(.rfc6749, "3.1.1", "the order of values does not matter"),
        why: "The repetition is harmless, but shows that the list was assembled from several sources.",
        reads: Documents.discovery
    ) { metadata, _ in
        MetadataMembers.lists.flatMap { member in
            repetitions(in: metadata.strings(member) ?? [], areSets: member == "response_types_supported")
                .map { value in
                    Finding(
                        "\(member) lists \(value.quoted) more than once",
                        at: "/\(member)",
                        expected: "each value once",
                        found: value.shown(),
                        fix: "Remove the duplicate \(value.quoted) from \(member)."
                    )
                }
        }
    }

    static let all: [Check] = [urls, lists, booleans, newer, issParameter, notNull, notEmpty, noRepetition]

    private static func wrongTypes(
        _ members: [String],
        in metadata: Metadata,
        expected: String,
        isRight: (JSON) -> Bool
    ) -> [Finding] {
        members.compactMap { member in
            guard let value = metadata[member], !value.isNull, !isRight(value) else { return nil }
            return Finding(
                "\(member) is \(value.kind.phrase), not \(expected)",
                at: "/\(member)",
                expected: expected,
                found: value.serialized().shown(limit: 120),
                fix: "Write \(member) as \(expected)."
            )
        }
    }

    /// Null members whose absence another check already reports.
    private static func isReportedAsMissing(_ name: String) -> Bool {
        (MetadataMembers.required + ["token_endpoint", "userinfo_endpoint"]).contains(name)
    }

    private static func repetitions(in values: [String], areSets: Bool) -> [String] {
        var seen: Set<String> = []
        return values.filter { value in
            let key = areSets ? value.split(separator: " ").sorted().joined(separator: " ") : value
            return !seen.insert(key).inserted
        }
    }
}
