package import Conformance

/// What relying platforms demand of the discovery document beyond the specifications.
package enum MetadataRuleChecks {
    package static let membersArePresent = RuledChecks.check(
        .metadataMembers,
        "The discovery document has the members that the platform reads",
        why: "The platform refuses the registration, or every sign-in, when a member that it reads is missing.",
        reads: Documents.discovery,
        demands: { $0.words(.metadataMembers) },
        rule: { metadata, members, _ in
            members.filter { !metadata.has($0) }
                .map { member in
                    Finding(
                        "The discovery document has no \(member).",
                        at: "/" + member,
                        expected: "present",
                        found: "missing",
                        fix: "Add \(member) to the discovery document."
                    )
                }
        }
    )

    package static let all: [Check] = [membersArePresent]
}
