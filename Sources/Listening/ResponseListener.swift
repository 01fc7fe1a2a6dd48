internal import Serving
internal import Synchronization

/// An authorization response as a browser sent it to the redirect URI.
package struct ReceivedResponse: Sendable {
    /// Path and query as sent.
    package var target: String
    /// The fragment without `#`, as the page's script sent it; `nil` if it sent none.
    package var fragment: String?
    /// The body of a POST (OAuth 2.0 Form Post Response Mode section 2); `nil` for a GET.
    package var form: Form?

    package struct Form: Sendable {
        package var contentType: String?
        package var body: [UInt8]
    }
}

/// The decision about a received response.
package enum ResponseReception: Sendable {
    /// It is the expected response.
    case taken
    /// It is the response to another request.
    case ofAnotherRequest
    /// The address contains no response; its fragment, known only to the browser, may contain one.
    case empty
}

/// Waits on a loopback address for the authorization response from the user's browser.
///
/// A query is part of the address, a form is sent by POST. A fragment stays in the browser, so a page of this listener sends it
/// with a script to an address that only this page knows. Headers are limited to 64 KiB, bodies to 1 MiB.
package final class ResponseListener: Sendable {
    private let servers: [HTTPServer]
    package let port: Int

    private init(_ servers: [HTTPServer], port: Int) {
        self.servers = servers
        self.port = port
    }

    /// Listens; when this returns, connections are accepted.
    ///
    /// - Parameters:
    ///   - hosts: Local addresses, one of which must be free; `localhost` has one or two.
    ///   - port: The port of the redirect URI; zero for a free one.
    ///   - authority: Returns the expected `Host` for the port; requests with another `Host` are rejected.
    ///   - path: The path of the redirect URI; other paths return 404.
    ///   - take: Decides about a response; called sequentially for each connection.
    package static func listen(
        on hosts: [String],
        port: Int,
        authority: (_ port: Int) -> String,
        path: String,
        take: @escaping @Sendable (ReceivedResponse) -> ResponseReception
    ) async throws(ListenerError) -> ResponseListener {
        let pages = Pages(authority: authority(port), path: path, take: take)
        var port = port
        var limits = ServerLimits()
        limits.idleness = .seconds(30)
        var servers: [HTTPServer] = []
        var reason: String?
        for host in hosts {
            do {
                let server = try await HTTPServer.listen(on: host, port: port, limits: limits) { pages.answer(to: $0) }
                servers.append(server)
                port = server.port
                pages.setAuthority(authority(port))
            } catch {
                reason = reason ?? error.reason
            }
        }
        guard !servers.isEmpty else {
            throw ListenerError(
                description:
                    "cannot listen at \(authority(port)): \(reason ?? "it is not an address of this machine")"
            )
        }
        return ResponseListener(servers, port: port)
    }

    /// Accepts no more connections; pending requests are answered.
    package func stop() async {
        for server in servers { await server.stop() }
    }

    /// The pages for the browser.
    private final class Pages: Sendable {
        private static let most = 64

        /// Set when a port has been found.
        private let authority: Mutex<String>
        private let path: String
        private let take: @Sendable (ReceivedResponse) -> ResponseReception
        /// The addresses that receive fragments, each with the target of its page.
        private let places = Mutex<[String: String]>([:])

        init(authority: String, path: String, take: @escaping @Sendable (ReceivedResponse) -> ResponseReception) {
            self.authority = Mutex(authority.lowercased())
            self.path = path
            self.take = take
        }

        func setAuthority(_ authority: String) { self.authority.withLock { $0 = authority.lowercased() } }

        func answer(to request: ServedRequest) -> ServedAnswer {
            guard request.value(of: "Host")?.lowercased() == authority.withLock({ $0 }) else {
                return Self.words(status: 400, "The Host header does not match this address.")
            }
            let asked = String(request.target.prefix { $0 != "?" })
            if request.method == "POST", let target = places.withLock({ $0[asked] }) {
                var fragment = String(decoding: request.body, as: UTF8.self)[...]
                if fragment.first == "#" { fragment.removeFirst() }
                return reported(take(ReceivedResponse(target: target, fragment: String(fragment))))
            }
            guard asked == path else { return Self.words(status: 404, "Not found.") }
            switch request.method {
            case "GET":
                let reception = take(ReceivedResponse(target: request.target))
                if case .empty = reception { return handOver(of: request.target) }
                return Self.page(Self.sentence(reception))
            case "POST":
                let form = ReceivedResponse.Form(contentType: request.value(of: "Content-Type"), body: request.body)
                return Self.page(Self.sentence(take(ReceivedResponse(target: request.target, form: form))))
            default:
                var answer = Self.words(status: 405, "Only GET and POST are allowed.")
                answer.fields.append(HeaderField("Allow", "GET, POST"))
                return answer
            }
        }

        /// A page whose script sends the fragment.
        private func handOver(of target: String) -> ServedAnswer {
            let (place, nonce) = ("/" + Self.random(), Self.random())
            let isKept = places.withLock { places in
                guard places.count < Self.most else { return false }
                places[place] = target
                return true
            }
            guard isKept else { return Self.page(Self.sentence(.empty)) }
            let script = """
                fetch('\(place)', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: location.hash })
                  .then(answer => answer.text())
                  .then(text => { history.replaceState(null, '', location.pathname); document.getElementById("message").textContent = text; });
                """
            return Self.page(
                "Reading the response …",
                script:
                    "<noscript><p>Copy the complete address of this page and paste it into oidc-preflight.</p></noscript>\n"
                    + "<script nonce=\"\(nonce)\">\(script)</script>",
                policy: "script-src 'nonce-\(nonce)'; connect-src 'self'; "
            )
        }

        private func reported(_ reception: ResponseReception) -> ServedAnswer {
            Self.words(status: 200, Self.sentence(reception))
        }

        private static func sentence(_ reception: ResponseReception) -> String {
            switch reception {
            case .taken: "Done. You can close this page and return to oidc-preflight."
            case .ofAnotherRequest:
                "This response belongs to another request. Open the last address shown by oidc-preflight."
            case .empty: "This address contains no response of the provider. Open the address shown by oidc-preflight."
            }
        }

        private static func random() -> String {
            (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
        }

        /// A page with one fixed sentence and no received data.
        private static func page(_ sentence: String, script: String = "", policy: String = "") -> ServedAnswer {
            let text = """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8"><title>oidc-preflight</title></head>
                <body><p id="message">\(sentence)</p>
                \(script)</body></html>

                """
            var answer = ServedAnswer(
                status: 200,
                fields: [HeaderField("Content-Type", "text/html; charset=utf-8")],
                body: Array(text.utf8)
            )
            answer.fields += guards(policy)
            return answer
        }

        private static func words(status: Int, _ sentence: String) -> ServedAnswer {
            var answer = ServedAnswer(
                status: status,
                fields: [HeaderField("Content-Type", "text/plain; charset=utf-8")],
                body: Array(sentence.utf8)
            )
            answer.fields += guards("")
            return answer
        }

        /// The address contains a code, so it must not be cached, sent as a referrer, or shown in a frame.
        private static func guards(_ policy: String) -> [HeaderField] {
            [
                HeaderField("Cache-Control", "no-store"), HeaderField("Referrer-Policy", "no-referrer"),
                HeaderField("X-Content-Type-Options", "nosniff"),
                HeaderField(
                    "Content-Security-Policy",
                    "default-src 'none'; \(policy)base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                ),
            ]
        }
    }
}
