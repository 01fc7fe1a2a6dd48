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
    ]
}

/// Walls and servers beside one another, for either document.
extension Fault {
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
