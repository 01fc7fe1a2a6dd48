internal import Serving
internal import Synchronization

/// An authorization response as a browser brought it to the redirect URI.
package struct BroughtResponse: Sendable {
    /// Path and query as they were sent.
    package var target: String
    /// What stood behind `#`, without it, as the browser handed it over; `nil` where it handed nothing over.
    package var fragment: String?
    /// The body of a POST (OAuth 2.0 Form Post Response Mode section 2); `nil` for a GET.
    package var form: Form?

    package struct Form: Sendable {
        package var contentType: String?
        package var body: [UInt8]
    }
}

/// What somebody who waits for a response makes of one.
package enum ResponseReception: Sendable {
    /// It is the one that was waited for.
    case taken
    /// It is the response to another request.
    case ofAnotherRequest
    /// The address has no response in it; a fragment may hold one, which only the browser knows.
    case empty
}

/// Waits on a loopback address for the authorization response that a person's browser brings.
///
/// A query comes with the address, a form by POST. A fragment stays in the browser: a page of this listener, which holds one
/// script and nothing else, hands it over to an address that only this page knows. Bounded are a head to 64 KiB and a body to 1 MiB.
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
    ///   - hosts: Addresses of this machine, one of which has to be free: `localhost` is one or two.
    ///   - port: That of the redirect URI; zero for a free one.
    ///   - authority: Makes of the port what a browser names in `Host`, host and port; whoever names another came by another name.
    ///   - path: The path of the redirect URI; other paths are not found.
    ///   - take: Judges a response; called for one after the other of a connection.
    package static func listen(
        on hosts: [String],
        port: Int,
        authority: (_ port: Int) -> String,
        path: String,
        take: @escaping @Sendable (BroughtResponse) -> ResponseReception
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
                pages.goBy(authority(port))
            } catch {
                reason = reason ?? error.reason
            }
        }
        guard !servers.isEmpty else {
            throw ListenerError(
                description:
                    "nothing can be listened for at \(authority(port)): \(reason ?? "it is no address of this machine")"
            )
        }
        return ResponseListener(servers, port: port)
    }

    /// Takes no more connections; what is being answered is answered.
    package func stop() async {
        for server in servers { await server.stop() }
    }

    /// The pages that a browser gets.
    private final class Pages: Sendable {
        private static let most = 64

        /// Known when a port has been found.
        private let authority: Mutex<String>
        private let path: String
        private let take: @Sendable (BroughtResponse) -> ResponseReception
        /// The addresses that fragments are handed over to, with the target of the page that knows each.
        private let places = Mutex<[String: String]>([:])

        init(authority: String, path: String, take: @escaping @Sendable (BroughtResponse) -> ResponseReception) {
            self.authority = Mutex(authority.lowercased())
            self.path = path
            self.take = take
        }

        func goBy(_ authority: String) { self.authority.withLock { $0 = authority.lowercased() } }

        func answer(to request: ServedRequest) -> ServedAnswer {
            guard request.value(of: "Host")?.lowercased() == authority.withLock({ $0 }) else {
                return Self.words(status: 400, "This address is not for that name.")
            }
            let asked = String(request.target.prefix { $0 != "?" })
            if request.method == "POST", let target = places.withLock({ $0[asked] }) {
                var fragment = String(decoding: request.body, as: UTF8.self)[...]
                if fragment.first == "#" { fragment.removeFirst() }
                return told(take(BroughtResponse(target: target, fragment: String(fragment))))
            }
            guard asked == path else { return Self.words(status: 404, "There is nothing here.") }
            switch request.method {
            case "GET":
                let reception = take(BroughtResponse(target: request.target))
                if case .empty = reception { return handOver(of: request.target) }
                return Self.page(Self.sentence(reception))
            case "POST":
                let form = BroughtResponse.Form(contentType: request.value(of: "Content-Type"), body: request.body)
                return Self.page(Self.sentence(take(BroughtResponse(target: request.target, form: form))))
            default:
                var answer = Self.words(status: 405, "A browser comes here by GET or POST.")
                answer.fields.append(HeaderField("Allow", "GET, POST"))
                return answer
            }
        }

        /// A page whose script hands over what stands behind `#`.
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
                  .then(text => { history.replaceState(null, '', location.pathname); document.getElementById('told').textContent = text; });
                """
            return Self.page(
                "Reading the answer …",
                script:
                    "<noscript><p>Copy the whole address of this page, and paste it where you began.</p></noscript>\n"
                    + "<script nonce=\"\(nonce)\">\(script)</script>",
                policy: "script-src 'nonce-\(nonce)'; connect-src 'self'; "
            )
        }

        private func told(_ reception: ResponseReception) -> ServedAnswer {
            Self.words(status: 200, Self.sentence(reception))
        }

        private static func sentence(_ reception: ResponseReception) -> String {
            switch reception {
            case .taken: "Done: you can close this page and go back to oidc-preflight."
            case .ofAnotherRequest:
                "This is the answer to another request. Open the address that oidc-preflight has shown last."
            case .empty: "No answer of the provider is in this address. Open the address that oidc-preflight has shown."
            }
        }

        private static func random() -> String {
            (0..<4).map { _ in String(UInt32.random(in: .min ... .max), radix: 36) }.joined()
        }

        /// What says one sentence of ours, and nothing that was sent.
        private static func page(_ sentence: String, script: String = "", policy: String = "") -> ServedAnswer {
            let text = """
                <!DOCTYPE html>
                <html lang="en"><head><meta charset="utf-8"><title>oidc-preflight</title></head>
                <body><p id="told">\(sentence)</p>
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

        /// The address has a code in it: it is stored nowhere, told nobody, and shown in no frame.
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
