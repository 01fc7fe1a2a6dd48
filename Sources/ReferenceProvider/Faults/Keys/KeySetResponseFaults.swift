import Conformance
import JSONTree

extension Fault {
    /// Faults of the answer that carries the key set.
    static let keySetResponse: [Fault] = [
        .answer(of: .keys, "keys.response.status-is-200", "the key set is not there") { $0.status = 404 },
        .answer(of: .keys, "keys.response.is-a-json-object", "a page is served in its place") {
            $0.text = "<!DOCTYPE html><title>Keys</title>"
        },
        .answer(
            of: .keys,
            "keys.response.content-type-is-application-json",
            "the key set has a media type of its own"
        ) { $0.setHeader("Content-Type", "application/jwk-set+json") },
        .answer(of: .keys, "keys.response.content-type-is-json", "the key set is served as HTML") {
            $0.setHeader("Content-Type", "text/html")
        },
        Fault(
            "keys.response.is-not-redirected",
            "the first request is redirected",
            change: { seams in
                let alternation = Alternation()
                seams.answer = { endpoint, answer in
                    guard endpoint == .keys, alternation.isVeryFirst() else { return }
                    answer.status = 307
                    answer.setHeader("Location", "?redirected")
                    answer.body = []
                }
            }
        ),
        .answer(of: .keys, "keys.response.stays-on-https", "the key set redirects to http") { answer in
            answer.status = 302
            answer.setHeader("Location", "http://127.0.0.1:9/keys")
            answer.body = []
        },
        .answer(of: .keys, "keys.response.has-no-byte-order-mark", "the key set begins with a mark") { answer in
            answer.body = [0xEF, 0xBB, 0xBF] + answer.body
        },
        .answer(of: .keys, "keys.response.has-no-duplicate-members", "keys is stated twice") { answer in
            answer.text = "{\"keys\":[]," + answer.text.drop { $0 != "{" }.dropFirst()
        },
        Fault(
            "keys.response.is-the-same-again",
            "every other request gets another key",
            change: { seams in
                let alternation = Alternation()
                seams.keySet = { set in
                    if !alternation.isFirst() { set.append(.object(KeySample.ec), to: "keys") }
                }
            }
        ),
        .answer(of: .keys, "keys.cache-control.is-present", "no lifetime is stated") { answer in
            answer.setHeader("Cache-Control", nil)
            answer.setHeader("Expires", nil)
        },
        .answer(of: .keys, "keys.cache-control.allows-storing", "the key set must not be stored") {
            $0.setHeader("Cache-Control", "no-store")
        },
        .answer(of: .keys, "keys.cache-control.lifetime-is-at-most-a-day", "the key set lives for a week") {
            $0.setHeader("Cache-Control", "public, max-age=604800")
        },
    ]
}
