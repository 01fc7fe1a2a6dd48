import Conformance

/// What every document keeps that a provider publishes at an address, whichever sentence demands it of the one and of the other.
enum ServedDocumentRules {
    /// That an answer has another status than 200.
    ///
    /// - Parameters:
    ///   - name: The document: `the key set`.
    ///   - missing: What to do where there is nothing at the address.
    static func otherStatus(_ exchange: Exchange, _ name: String, missing: @autoclosure () -> String) -> [Finding] {
        guard let status = exchange.response?.status, status != 200 else { return [] }
        return [
            Finding(
                "the request for \(exchange.request.url.quoted) was answered with HTTP status \(status)",
                at: "status",
                expected: "200",
                found: String(status),
                fix: status == 404 || status == 410 ? missing() : StatusAdvice.fix(exchange, name)
            )
        ]
    }

    /// That the first answer leads elsewhere.
    static func redirect(_ exchange: Exchange, _ name: String, fix: String) -> [Finding] {
        guard let response = exchange.response, (300...399).contains(response.status) else { return [] }
        let place = response.header("Location")
        return [
            Finding(
                "the request for \(name) is redirected" + (place.map { " to \($0.quoted)" } ?? ""),
                at: "Location",
                expected: "status 200 at the first request",
                found: "status \(response.status)",
                fix: fix
            )
        ]
    }

    /// That the text begins with a mark that strict parsers do not read.
    static func byteOrderMark(_ isThere: Bool, _ name: String, fix: String) -> [Finding] {
        guard isThere else { return [] }
        return [
            Finding(
                "\(name) begins with the byte order mark U+FEFF",
                expected: "{ as the first character",
                found: "EF BB BF",
                fix: fix
            )
        ]
    }

    /// That an answer has none of the media types that a document may have.
    static func mediaType(
        _ exchange: Exchange,
        _ name: String,
        isRight: (String) -> Bool,
        expected: String,
        fix: String
    ) -> [Finding] {
        let type = exchange.response?.mediaType ?? ""
        if isRight(type) { return [] }
        return [
            Finding(
                "\(name) is served " + (type.isEmpty ? "without a media type" : "as \(type.quoted)"),
                at: "Content-Type",
                expected: expected,
                found: type.isEmpty ? "no Content-Type" : type.shown(),
                fix: fix
            )
        ]
    }
}
