import Conformance
import JSONTree

/// The kinds of responses that the endpoints return.
extension HTTPAnswer {
    static func json(_ object: JSONObject, status: Int = 200) -> HTTPAnswer {
        HTTPAnswer(
            status: status,
            headers: [Field("Content-Type", "application/json")],
            body: Array(object.serialized().utf8)
        )
    }

    /// A public document that may be cached for five minutes.
    static func document(_ object: JSONObject) -> HTTPAnswer {
        var answer = json(object)
        answer.headers.append(Field("Cache-Control", "public, max-age=300"))
        return answer
    }

    /// 303, which every browser follows with GET and without the body (RFC 9700 section 4.12).
    static func redirect(to location: String) -> HTTPAnswer {
        var answer = HTTPAnswer(status: 303, headers: [Field("Location", location)], body: [])
        answer.forbidStoring()
        return answer
    }

    static func methodNotAllowed(_ allowed: [String]) -> HTTPAnswer {
        var answer = Page.problem(status: 405, "This address does not take that method.")
        answer.setHeader("Allow", allowed.joined(separator: ", "))
        return answer
    }

    /// Keeps secrets out of caches (RFC 6749 section 5.1).
    mutating func forbidStoring() {
        setHeader("Cache-Control", "no-store")
        setHeader("Pragma", "no-cache")
    }
}
