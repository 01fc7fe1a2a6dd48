package import Conformance
import JSONTree

/// What the discovery document says of session, front- and back-channel logout.
package enum LogoutMetadataChecks {
    package static let endSessionIsOffered = Check(
        "logout.end-session-endpoint.is-present",
        "Where logout is announced, there is an end-session endpoint",
        .should,
        .conformance,
        Citation(.rpInitiatedLogout, "2.1", "end_session_endpoint REQUIRED"),
        why: "Applications that learn that the provider supports logout have nowhere to begin it.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            let members = [
                "end_session_endpoint", "check_session_iframe", "frontchannel_logout_supported",
                "backchannel_logout_supported",
            ]
            let isAnnounced = members.contains { metadata[$0] != nil && metadata[$0] != .bool(false) }
            return isAnnounced ? nil : "the discovery document announces no kind of logout"
        },
        finding: { metadata, _ in
            guard !metadata.has("end_session_endpoint") else { return nil }
            return Finding(
                "The discovery document announces logout but names no end_session_endpoint.",
                at: "/end_session_endpoint",
                expected: "an https URL",
                found: "missing",
                fix: "State end_session_endpoint."
            )
        }
    )

    package static let backChannelSessions = Check(
        "logout.back-channel.names-sessions",
        "Back-channel logout can name the session",
        .may,
        .conformance,
        Citation(.backChannelLogout, "2.1", "backchannel_logout_session_supported OPTIONAL"),
        why: "Without a session identifier a logout on one device ends the person's sessions everywhere.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            metadata["backchannel_logout_supported"] == .bool(true) ? nil : "back-channel logout is not offered"
        },
        rule: { metadata, _ in unnamed(metadata, "backchannel_logout_session_supported") }
    )

    package static let frontChannelSessions = Check(
        "logout.front-channel.names-sessions",
        "Front-channel logout can name the session",
        .may,
        .safety,
        Citation(.frontChannelLogout, "3", "frontchannel_logout_session_supported OPTIONAL"),
        why: "Without issuer and session identifier any site can log people out of the application.",
        reads: Documents.discovery,
        exempt: { metadata, _ in
            metadata["frontchannel_logout_supported"] == .bool(true) ? nil : "front-channel logout is not offered"
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
                fix: "Put sid into ID Tokens and logout messages, and state \(member): true."
            )
        ]
    }

    package static let all: [Check] = [endSessionIsOffered, backChannelSessions, frontChannelSessions]
}
