import Conformance

extension Fault {
    /// Faults that affect only applications in a browser.
    static let spa: [Fault] = [
        closed(.discovery, "platform.spa.discovery.is-open-to-scripts"),
        closed(.keys, "platform.spa.keys.is-open-to-scripts"),
        closed(.token, "platform.spa.token.is-open-to-scripts"),
        Fault(
            "platform.spa.token.is-open-to-scripts",
            variant: "other-origin",
            "CORS allows another origin only",
            persona: .publicClient,
            change: { hooks in
                hooks.answer = { endpoint, answer in
                    guard endpoint == .token else { return }
                    answer.setHeader("Access-Control-Allow-Origin", "https://other.example")
                }
            }
        ),
        Fault(
            "platform.spa.userinfo.is-open-to-scripts",
            "the preflight response allows the origin, but the actual response does not",
            persona: .publicClient,
            change: { hooks in
                hooks.answerTo = { visitor, endpoint, answer in
                    guard endpoint == .userInfo, visitor.method != "OPTIONS" else { return }
                    answer.setHeader("Access-Control-Allow-Origin", nil)
                }
            }
        ),
        preflight("the preflight request returns status 401") { $0.status = 401 },
        preflight(variant: "origin", "the preflight response has no Access-Control-Allow-Origin") { answer in
            answer.setHeader("Access-Control-Allow-Origin", nil)
        },
        preflight(variant: "headers", "the preflight response does not allow the Authorization header") { answer in
            answer.setHeader("Access-Control-Allow-Headers", "Content-Type")
        },
    ]

    private static func closed(_ endpoint: Endpoint, _ trips: CheckID) -> Fault {
        Fault(
            trips,
            "responses have no Access-Control-Allow-Origin",
            persona: .publicClient,
            change: { hooks in
                hooks.answer = { place, answer in
                    if place == endpoint { answer.setHeader("Access-Control-Allow-Origin", nil) }
                }
            }
        )
    }

    private static func preflight(
        variant: String? = nil,
        _ title: String,
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        Fault(
            "platform.spa.userinfo.preflight-is-answered",
            variant: variant,
            title,
            persona: .publicClient,
            change: { hooks in
                hooks.answerTo = { visitor, endpoint, answer in
                    if endpoint == .userInfo, visitor.method == "OPTIONS" { edit(&answer) }
                }
            }
        )
    }
}
