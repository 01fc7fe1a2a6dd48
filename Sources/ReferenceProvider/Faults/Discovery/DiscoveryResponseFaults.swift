import Conformance
import FoundationEssentials
import JSONTree

extension Fault {
    /// Faults of the answer that carries the discovery document.
    static let discoveryResponse: [Fault] = [
        .answer(of: .discovery, "discovery.response.status-is-200", "the document is not there") { answer in
            answer.status = 404
        },
        .answer(of: .discovery, "discovery.response.is-a-json-object", "a page is served in its place") { answer in
            answer.text = "<!DOCTYPE html><title>Welcome</title>"
        },
        .answer(of: .discovery, "discovery.response.is-a-json-object", variant: "list", "it is a list") { answer in
            answer.text = "[\(answer.text)]"
        },
        .answer(of: .discovery, "discovery.response.content-type-is-json", "it is served as text") { answer in
            answer.setHeader("Content-Type", "text/plain; charset=utf-8")
        },
        Fault(
            "discovery.response.is-not-redirected",
            "the first request is redirected",
            change: { seams in
                let alternation = Alternation()
                seams.answer = { endpoint, answer in
                    guard endpoint == .discovery, alternation.isVeryFirst() else { return }
                    answer.status = 302
                    answer.setHeader("Location", "?redirected")
                    answer.body = []
                }
            }
        ),
        .answer(of: .discovery, "discovery.response.stays-on-https", "it redirects to http") { answer in
            answer.status = 302
            answer.setHeader("Location", "http://127.0.0.1:9/.well-known/openid-configuration")
            answer.body = []
        },
        .answer(of: .discovery, "discovery.response.has-no-byte-order-mark", "it begins with a mark") { answer in
            answer.body = [0xEF, 0xBB, 0xBF] + answer.body
        },
        .answer(of: .discovery, "discovery.response.has-no-duplicate-members", "issuer is stated twice") { answer in
            answer.text = "{\"issuer\":\"https://other.example\"," + answer.text.drop { $0 != "{" }.dropFirst()
        },
        Fault(
            "discovery.response.is-the-same-again",
            "every other request gets another document",
            change: { seams in
                let alternation = Alternation()
                seams.discovery = { document, _ in
                    if !alternation.isFirst() { document["service_documentation"] = "https://op.example/other-node" }
                }
            }
        ),
        .answer(of: .discovery, "discovery.cache-control.is-present", "no lifetime is stated") { answer in
            answer.setHeader("Cache-Control", nil)
            answer.setHeader("Expires", nil)
        },
        .answer(of: .discovery, "discovery.cache-control.allows-storing", "it must not be stored") { answer in
            answer.setHeader("Cache-Control", "no-store")
        },
        .answer(of: .discovery, "discovery.clock.is-stated", "the answer has no Date") { answer in
            answer.setHeader("Date", nil)
        },
        .answer(of: .discovery, "discovery.clock.is-stated", variant: "form", "Date is in an obsolete form") { answer in
            answer.setHeader("Date", "Sunday, 06-Nov-94 08:49:37 GMT")
        },
        .answer(of: .discovery, "discovery.clock.is-within-five-seconds", "the clock is 20 s ahead") { answer in
            answer.setHeader("Date", Conformance.HTTPDate.text(Date().timeIntervalSince1970 + 20))
        },
        .answer(of: .discovery, "discovery.clock.is-within-a-minute", "the clock is an hour behind") { answer in
            answer.setHeader("Date", Conformance.HTTPDate.text(Date().timeIntervalSince1970 - 3_600))
        },
    ]
}
