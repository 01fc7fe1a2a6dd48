import Conformance

extension Fault {
    /// Faults of the discovery document for some user agents, or at one of several addresses.
    static let discoveryEverywhere: [Fault] = [
        .wall(
            of: .discovery,
            "discovery.agents.are-treated-alike",
            "requests for discovery without User-Agent get status 403"
        ),
        .challenge(
            of: .discovery,
            "discovery.agents.are-treated-alike",
            "browsers that request discovery get a challenge page"
        ),
        .headless(of: .discovery, "discovery.head.is-answered", "a HEAD request for discovery gets status 405"),
        .forwarded(by: "X-Forwarded-Host", variant: nil), .forwarded(by: "X-Original-Host", variant: "original"),
        .elsewhere(
            of: .discovery,
            "discovery.addresses.serve-the-same-document",
            "the second address serves an older discovery document"
        ) { answer in
            answer.text = answer.text.replacing("\"openid\",", with: "")
        },
        .elsewhere(
            of: .discovery,
            "discovery.addresses.serve-the-same-document",
            variant: "status",
            "the second address has no discovery document"
        ) { answer in
            answer.status = 404
        },
        .serverMetadata(
            "discovery.server-metadata.is-absent-or-a-document",
            "the authorization server metadata URL returns an HTML page"
        ) {
            $0.setHeader("Content-Type", "text/html")
            $0.text = "<!DOCTYPE html><title>Application</title>"
        },
        .serverMetadata(
            "discovery.server-metadata.is-absent-or-a-document",
            variant: "status",
            "the authorization server metadata URL returns status 500",
            also: ["transport.answers.are-no-server-errors"]
        ) { $0.status = 500 },
        .serverMetadata(
            "discovery.server-metadata.states-the-issuer",
            "the authorization server metadata states another issuer"
        ) {
            $0.text = $0.text.replacing("\"issuer\":\"https://", with: "\"issuer\":\"https://other.")
        },
        .serverMetadata(
            "discovery.server-metadata.agrees-with-the-discovery-document",
            "the authorization server metadata has an outdated token_endpoint"
        ) { $0.text = $0.text.replacing("/token\"", with: "/v1/token\"") },
        .serverMetadata(
            "discovery.server-metadata.agrees-with-the-discovery-document",
            variant: "pkce",
            "the authorization server metadata lacks code_challenge_methods_supported"
        ) { $0.text = $0.text.replacing("code_challenge_methods_supported", with: "code_challenge_methods") },
        webFinger("discovery.webfinger.names-the-issuer", "WebFinger names the issuer with a slash at the end") {
            $0.text = $0.text.replacing("\"}]", with: "/\"}]")
        },
        webFinger("discovery.webfinger.names-an-issuer", "WebFinger knows no such user") { $0.status = 404 },
    ]

    private static func webFinger(
        _ trips: CheckID,
        _ title: String,
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        Fault(
            trips,
            title,
            configure: { $0.webFinger = "alice@" + Target.authority(of: $0.issuer) },
            change: { $0.webFinger = edit }
        )
    }
}

/// Bot protection and load-balanced servers, for either document.
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
            change: { hooks in
                hooks.answerTo = { visitor, place, answer in
                    if place == endpoint, visitor.userAgent == nil { answer.status = 403 }
                }
            }
        )
    }

    static func headless(of endpoint: Endpoint, _ trips: CheckID, _ title: String) -> Fault {
        Fault(
            trips,
            title,
            change: { hooks in
                hooks.answerTo = { visitor, place, answer in
                    if place == endpoint, visitor.method == "HEAD" { answer.status = 405 }
                }
            }
        )
    }

    static func challenge(of endpoint: Endpoint, _ trips: CheckID, _ title: String) -> Fault {
        Fault(
            trips,
            variant: "challenge",
            title,
            change: { hooks in
                hooks.answerTo = { visitor, place, answer in
                    guard place == endpoint, visitor.userAgent?.hasPrefix("Mozilla/") == true else { return }
                    answer.setHeader("Content-Type", "text/html")
                    answer.text = "<!DOCTYPE html><title>Just a moment</title>"
                }
            }
        )
    }

    /// Takes the host of every address in the document from a field of the request.
    static func forwarded(by field: String, variant: String?) -> Fault {
        Fault(
            "discovery.issuer.does-not-follow-the-request",
            variant: variant,
            "the issuer and the endpoints are at the host of \(field)",
            change: { hooks in
                hooks.answerTo = { visitor, place, answer in
                    guard place == .discovery, let host = visitor.forwardedHosts[field.lowercased()] else { return }
                    answer.text = answer.text.replacing(#/"https://[^/"]+/#, with: "\"https://" + host)
                }
            }
        )
    }

    /// Changes the responses of the provider's second address.
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
            change: { hooks in
                hooks.answerTo = { visitor, place, answer in
                    if place == endpoint, visitor.address == Persona.publicName.addresses.last { edit(&answer) }
                }
            }
        )
    }
}
