import Conformance
import JSONTree

extension Fault {
    /// Faults of the discovery document for some agents, and at one of several addresses.
    static let discoveryEverywhere: [Fault] = [
        .wall(of: .discovery, "discovery.agents.are-treated-alike", "who has no name is kept out"),
        .challenge(of: .discovery, "discovery.agents.are-treated-alike", "browsers are given a riddle"),
        .elsewhere(
            of: .discovery,
            "discovery.addresses.serve-the-same-document",
            "the second server has yesterday's document"
        ) { answer in
            answer.text = answer.text.replacing("\"openid\",", with: "")
        },
        .elsewhere(
            of: .discovery,
            "discovery.addresses.serve-the-same-document",
            variant: "status",
            "the second server has no document"
        ) { answer in
            answer.status = 404
        },
        .serverMetadata("discovery.server-metadata.is-absent-or-a-document", "every unknown path gets a page") {
            $0.setHeader("Content-Type", "text/html")
            $0.text = "<!DOCTYPE html><title>Application</title>"
        },
        .serverMetadata(
            "discovery.server-metadata.is-absent-or-a-document",
            variant: "status",
            "the request for it fails",
            also: ["transport.answers.are-no-server-errors"]
        ) { $0.status = 500 },
        .serverMetadata("discovery.server-metadata.states-the-issuer", "it is that of another tenant") {
            $0.text = $0.text.replacing("\"issuer\":\"https://", with: "\"issuer\":\"https://other.")
        },
        .serverMetadata(
            "discovery.server-metadata.agrees-with-the-discovery-document",
            "its token_endpoint is that of an earlier version"
        ) { $0.text = $0.text.replacing("/token\"", with: "/v1/token\"") },
        .serverMetadata(
            "discovery.server-metadata.agrees-with-the-discovery-document",
            variant: "pkce",
            "it leaves PKCE out"
        ) { $0.text = $0.text.replacing("code_challenge_methods_supported", with: "code_challenge_methods") },
    ]
}

/// Walls and servers beside one another, for either document.
extension Fault {
    fileprivate static func serverMetadata(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        also: [CheckID] = [],
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        Fault(trips, variant: variant, title, also: also, change: { $0.serverMetadata = edit })
    }

    static func wall(of endpoint: Endpoint, _ trips: CheckID, _ title: String) -> Fault {
        Fault(
            trips,
            title,
            change: { seams in
                seams.answerTo = { visitor, place, answer in
                    if place == endpoint, visitor.userAgent == nil { answer.status = 403 }
                }
            }
        )
    }

    static func challenge(of endpoint: Endpoint, _ trips: CheckID, _ title: String) -> Fault {
        Fault(
            trips,
            variant: "challenge",
            title,
            change: { seams in
                seams.answerTo = { visitor, place, answer in
                    guard place == endpoint, visitor.userAgent?.hasPrefix("Mozilla/") == true else { return }
                    answer.setHeader("Content-Type", "text/html")
                    answer.text = "<!DOCTYPE html><title>Just a moment</title>"
                }
            }
        )
    }

    /// A change to what the second address of a provider answers.
    static func elsewhere(
        of endpoint: Endpoint,
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        Fault(
            trips,
            variant: variant,
            title,
            persona: .publicName,
            change: { seams in
                seams.answerTo = { visitor, place, answer in
                    if place == endpoint, visitor.address == Persona.publicName.addresses.last { edit(&answer) }
                }
            }
        )
    }
}
