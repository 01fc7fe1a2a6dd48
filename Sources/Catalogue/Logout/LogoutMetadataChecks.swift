package import Conformance
import JSONTree

/// The members of the discovery document about session, front-channel and back-channel logout.
package enum LogoutMetadataChecks {
    static let endSessionIsOffered = Check(
        "logout.end-session-endpoint.is-present",
        "The discovery document has end_session_endpoint if it lists any kind of logout",
        .should,
        .conformance,
        Citation(.rpInitiatedLogout, "2.1", "end_session_endpoint REQUIRED"),
        why: "Applications learn that the provider supports logout, but have no endpoint to start it.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            let members = [
                "end_session_endpoint", "check_session_iframe", "frontchannel_logout_supported",
                "backchannel_logout_supported",
            ]
            let isAnnounced = members.contains { metadata[$0] != nil && metadata[$0] != .bool(false) }
            return isAnnounced ? nil : "the discovery document lists no kind of logout"
        },
        finding: { metadata, _ in
            guard !metadata.has("end_session_endpoint") else { return nil }
            return Finding(
                "The discovery document lists a kind of logout but has no end_session_endpoint.",
                at: "/end_session_endpoint",
                expected: "an https URL",
                found: "missing",
                fix: "Add end_session_endpoint, an https URL, to the discovery document."
            )
        }
    )

    static let backChannelSessions = Check(
        "logout.back-channel.names-sessions",
        "The provider supports session identifiers in back-channel logout",
        .may,
        .conformance,
        Citation(.backChannelLogout, "2.1", "backchannel_logout_session_supported OPTIONAL"),
        why: "Without a session identifier, a logout on one device ends all sessions of the user.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            metadata["backchannel_logout_supported"] == .bool(true)
                ? nil : "the provider does not support back-channel logout"
        },
        rule: { metadata, _ in unnamed(metadata, "backchannel_logout_session_supported") }
    )

    static let frontChannelSessions = Check(
        "logout.front-channel.names-sessions",
        "The provider supports session identifiers in front-channel logout",
        .may,
        .safety,
        Citation(.frontChannelLogout, "3", "frontchannel_logout_session_supported OPTIONAL"),
        why: "Without iss and sid, any site can log users out of the application.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            metadata["frontchannel_logout_supported"] == .bool(true)
                ? nil : "the provider does not support front-channel logout"
        },
        rule: { metadata, _ in unnamed(metadata, "frontchannel_logout_session_supported") }
    )

    private static func unnamed(_ metadata: Metadata, _ member: String) -> [Finding] {
        guard metadata[member] != .bool(true) else { return [] }
        return [
            Finding(
                "\(member) is not true.",
                at: "/" + member,
                expected: "true",
                found: metadata[member].map { $0.serialized().shown() } ?? "missing, which means false",
                fix: "Add sid to ID Tokens and logout messages, and set \(member) to true."
            )
        ]
    }

    package static let all: [Check] = [endSessionIsOffered, backChannelSessions, frontChannelSessions]
}
