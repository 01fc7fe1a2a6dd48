import Conformance
import JSONTree

/// Whether the members about logout in the discovery document are consistent.
enum LogoutAnnouncementChecks {
    static let backChannel = announced(
        "logout.back-channel.is-announced",
        "The provider that states backchannel_logout_session_supported also states backchannel_logout_supported",
        Citation(.backChannelLogout, "2.1", "backchannel_logout_supported OPTIONAL"),
        "backchannel_logout"
    )

    static let frontChannel = announced(
        "logout.front-channel.is-announced",
        "The provider that states frontchannel_logout_session_supported also states frontchannel_logout_supported",
        Citation(.frontChannelLogout, "3", "frontchannel_logout_supported OPTIONAL"),
        "frontchannel_logout"
    )

    static let all: [Check] = [backChannel, frontChannel]

    /// An application that looks only at the first member does not use the second.
    private static func announced(_ id: CheckID, _ title: String, _ citation: Citation, _ kind: String) -> Check {
        Check(
            id,
            title,
            .risk,
            .conformance,
            citation,
            why: "Applications that check only \(kind)_supported never register for logout with sessions.",
            reads: Documents.discovery,
            exempt: { metadata, _ in
                metadata["\(kind)_session_supported"]?.boolValue == true ? nil : "\(kind)_session_supported is not true"
            },
            finding: { metadata, _ in
                let member = "\(kind)_supported"
                guard metadata[member]?.boolValue != true else { return nil }
                return Finding(
                    "\(kind)_session_supported is true, but \(member) is not.",
                    at: "/\(member)",
                    expected: "true",
                    found: metadata[member].map { $0.serialized().shown() } ?? "missing, which means false",
                    fix: "Set \(member) to true, or omit \(kind)_session_supported."
                )
            }
        )
    }
}
