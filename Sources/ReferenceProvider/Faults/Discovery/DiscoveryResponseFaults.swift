import Conformance
import FoundationEssentials
import JSONTree

extension Fault {
    /// Faults of the discovery response.
    static let discoveryResponse: [Fault] = [
        .answer(of: .discovery, "discovery.response.status-is-200", "the discovery document is not found") { answer in
            answer.status = 404
        },
        .answer(
            of: .discovery,
            "discovery.response.is-a-json-object",
            "an HTML page is served instead of the discovery document"
        ) { answer in
            answer.text = "<!DOCTYPE html><title>Welcome</title>"
        },
        .answer(
            of: .discovery,
            "discovery.response.is-a-json-object",
            variant: "list",
            "the discovery document is a JSON array"
        ) { answer in
            answer.text = "[\(answer.text)]"
        },
        .answer(
            of: .discovery,
            "discovery.response.content-type-is-json",
            "the discovery document is served as text/plain"
        ) { answer in
            answer.setHeader("Content-Type", "text/plain; charset=utf-8")
        },
        Fault(
            "discovery.response.is-not-redirected",
            "the first request for discovery is redirected",
            change: { hooks in
                let call = FirstCall()
                hooks.answer = { endpoint, answer in
                    guard endpoint == .discovery, call.isFirst() else { return }
                    answer.status = 302
                    answer.setHeader("Location", "?redirected")
                    answer.body = []
                }
            }
        ),
        Fault(
            "discovery.response.is-not-redirected-by-308",
            "the first request for discovery is redirected with status 308",
            also: ["discovery.response.is-not-redirected"],
            change: { hooks in
                let call = FirstCall()
                hooks.answer = { endpoint, answer in
                    guard endpoint == .discovery, call.isFirst() else { return }
                    answer.status = 308
                    answer.setHeader("Location", "?redirected")
                    answer.body = []
                }
            }
        ),
        .answer(of: .discovery, "discovery.response.stays-on-https", "discovery redirects to http") { answer in
            answer.status = 302
            answer.setHeader("Location", "http://127.0.0.1:9/.well-known/openid-configuration")
            answer.body = []
        },
        .answer(
            of: .discovery,
            "discovery.response.has-no-byte-order-mark",
            "the discovery document begins with a byte order mark"
        ) { answer in
            answer.body = [0xEF, 0xBB, 0xBF] + answer.body
        },
        .answer(
            of: .discovery,
            "discovery.response.has-no-duplicate-members",
            "the discovery document has issuer twice"
        ) { answer in
            answer.text = "{\"issuer\":\"https://other.example\"," + answer.text.drop { $0 != "{" }.dropFirst()
        },
        Fault(
            "discovery.response.is-the-same-again",
            "every request after the first returns a different discovery document",
            change: { hooks in
                let call = FirstCall()
                hooks.discovery = { document, _ in
                    if !call.isFirst() { document["service_documentation"] = "https://op.example/other-node" }
                }
            }
        ),
        .answer(
            of: .discovery,
            "discovery.cache-control.is-present",
            "the discovery response has neither Cache-Control nor Expires"
        ) { answer in
            answer.setHeader("Cache-Control", nil)
            answer.setHeader("Expires", nil)
        },
        .answer(
            of: .discovery,
            "discovery.cache-control.allows-storing",
            "the discovery response has Cache-Control: no-store"
        ) { answer in
            answer.setHeader("Cache-Control", "no-store")
        },
        .answer(of: .discovery, "discovery.clock.is-stated", "the discovery response has no Date") { answer in
            answer.setHeader("Date", nil)
        },
        .answer(of: .discovery, "discovery.clock.is-stated", variant: "form", "Date has an obsolete format") { answer in
            answer.setHeader("Date", "Sunday, 06-Nov-94 08:49:37 GMT")
        },
        .answer(of: .discovery, "discovery.clock.is-within-five-seconds", "the server's clock is 20 seconds ahead") {
            answer in
            answer.setHeader("Date", Conformance.HTTPDate.text(Date().timeIntervalSince1970 + 20))
        },
        .answer(of: .discovery, "discovery.clock.is-within-a-minute", "the server's clock is an hour behind") {
            answer in
            answer.setHeader("Date", Conformance.HTTPDate.text(Date().timeIntervalSince1970 - 3_600))
        },
    ]
}
