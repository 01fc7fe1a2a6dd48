import Conformance
import JSONTree

extension Fault {
    /// Faults of the key set response.
    static let keySetResponse: [Fault] = [
        .answer(of: .keys, "keys.response.status-is-200", "the key set is not found") { $0.status = 404 },
        .answer(of: .keys, "keys.response.is-a-json-object", "an HTML page is served instead of the key set") {
            $0.text = "<!DOCTYPE html><title>Keys</title>"
        },
        .answer(
            of: .keys,
            "keys.response.content-type-is-application-json",
            "the key set is served as application/jwk-set+json"
        ) { $0.setHeader("Content-Type", "application/jwk-set+json") },
        .answer(of: .keys, "keys.response.content-type-is-json", "the key set is served as text/html") {
            $0.setHeader("Content-Type", "text/html")
        },
        Fault(
            "keys.response.is-not-redirected",
            "the first request for the key set is redirected",
            change: { hooks in
                let call = FirstCall()
                hooks.answer = { endpoint, answer in
                    guard endpoint == .keys, call.isFirst() else { return }
                    answer.status = 307
                    answer.setHeader("Location", "?redirected")
                    answer.body = []
                }
            }
        ),
        Fault(
            "keys.response.is-not-redirected-by-308",
            "the first request for the key set is redirected with status 308",
            also: ["keys.response.is-not-redirected"],
            change: { hooks in
                let call = FirstCall()
                hooks.answer = { endpoint, answer in
                    guard endpoint == .keys, call.isFirst() else { return }
                    answer.status = 308
                    answer.setHeader("Location", "?redirected")
                    answer.body = []
                }
            }
        ),
        .answer(of: .keys, "keys.response.stays-on-https", "jwks_uri redirects to http") { answer in
            answer.status = 302
            answer.setHeader("Location", "http://127.0.0.1:9/keys")
            answer.body = []
        },
        .answer(of: .keys, "keys.response.has-no-byte-order-mark", "the key set begins with a byte order mark") {
            answer in
            answer.body = [0xEF, 0xBB, 0xBF] + answer.body
        },
        .answer(of: .keys, "keys.response.has-no-duplicate-members", "the key set has the member keys twice") {
            answer in
            answer.text = "{\"keys\":[]," + answer.text.drop { $0 != "{" }.dropFirst()
        },
        Fault(
            "keys.response.is-the-same-again",
            "every request after the first returns an additional key",
            change: { hooks in
                let call = FirstCall()
                hooks.keySet = { set in
                    if !call.isFirst() { set.append(.object(KeySample.ec), to: "keys") }
                }
            }
        ),
        .answer(
            of: .keys,
            "keys.cache-control.is-present",
            "the key set response has neither Cache-Control nor Expires"
        ) { answer in
            answer.setHeader("Cache-Control", nil)
            answer.setHeader("Expires", nil)
        },
        .answer(of: .keys, "keys.cache-control.allows-storing", "the key set response has Cache-Control: no-store") {
            $0.setHeader("Cache-Control", "no-store")
        },
        .answer(
            of: .keys,
            "keys.cache-control.lifetime-is-at-most-a-day",
            "the key set response has max-age=604800, which is a week"
        ) {
            $0.setHeader("Cache-Control", "public, max-age=604800")
        },
    ]
}
