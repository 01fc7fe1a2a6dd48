import Conformance
import JSONTree

/// Whether the members about logout in the discovery document agree with each other.
enum LogoutAnnouncementChecks {
    static let backChannel = announced(
        "logout.back-channel.is-announced",
        "Sessions of back-channel logout are announced together with back-channel logout",
        Citation(.backChannelLogout, "2.1", "backchannel_logout_supported OPTIONAL"),
        "backchannel_logout"
    )

    static let frontChannel = announced(
        "logout.front-channel.is-announced",
        "Sessions of front-channel logout are announced together with front-channel logout",
        Citation(.frontChannelLogout, "3", "frontchannel_logout_supported OPTIONAL"),
        "frontchannel_logout"
    )

    static let all: [Check] = [backChannel, frontChannel]

    /// An application that does not learn of sessions is logged out of all of them, or of none.
    private static func announced(_ id: CheckID, _ title: String, _ citation: Citation, _ kind: String) -> Check {
        Check(
            id,
            title,
            .risk,
            .conformance,
            citation,
            why: "Applications look at the first member only, and never register for what the second one promises.",
            reads: Documents.discovery,
            exempt: { metadata, _ in
                metadata["\(kind)_session_supported"]?.boolValue == true ? nil : "no sessions of it are announced"
            },
            finding: { metadata, _ in
                let member = "\(kind)_supported"
                guard metadata[member]?.boolValue != true else { return nil }
                return Finding(
                    "\(kind)_session_supported is true, and \(member) is not.",
                    at: "/\(member)",
                    expected: "true",
                    found: metadata[member].map { $0.serialized().shown() } ?? "missing, which means false",
                    fix: "State \(member): true, or leave \(kind)_session_supported out."
                )
            }
        )
    }
}
