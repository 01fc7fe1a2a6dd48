internal import Serving
internal import Synchronization

/// Serves documents of a client on a local address, and counts their requests.
///
/// Documents are few and short. Unknown paths return 404.
package final class DocumentListener: Sendable {
    private let server: HTTPServer
    private let contents: Contents
    package var port: Int { server.port }

    /// The documents, shared with the closure of the server.
    private final class Contents: Sendable {
        private struct Document {
            var contentType: String
            var body: [UInt8]
            var fetches = 0
        }

        private let documents = Mutex<[String: Document]>([:])

        func put(_ body: [UInt8], _ contentType: String, at path: String) {
            documents.withLock { documents in
                let fetches = documents[path]?.fetches ?? 0
                documents[path] = Document(contentType: contentType, body: body, fetches: fetches)
            }
        }

        func fetches(of path: String) -> Int { documents.withLock { $0[path]?.fetches ?? 0 } }

        func answer(_ path: String) -> ServedAnswer {
            let found = documents.withLock { documents -> (String, [UInt8])? in
                documents[path]?.fetches += 1
                return documents[path].map { ($0.contentType, $0.body) }
            }
            guard let (contentType, body) = found else { return ServedAnswer(status: 404) }
            // `no-cache`, so that providers see a changed document immediately.
            let fields = [HeaderField("Content-Type", contentType), HeaderField("Cache-Control", "no-cache")]
            return ServedAnswer(status: 200, fields: fields, body: body)
        }
    }

    private init(server: HTTPServer, contents: Contents) {
        self.server = server
        self.contents = contents
    }

    /// Listens; when this returns, connections are accepted.
    ///
    /// - Parameters:
    ///   - host: An address or a name of this machine.
    ///   - port: Zero for a free one.
    package static func listen(host: String, port: Int) async throws(ListenerError) -> DocumentListener {
        let contents = Contents()
        var limits = ServerLimits()
        limits.idleness = .seconds(30)
        do {
            let server = try await HTTPServer.listen(on: host, port: port, limits: limits) { request in
                guard ["GET", "HEAD"].contains(request.method) else {
                    return ServedAnswer(status: 405, fields: [HeaderField("Allow", "GET, HEAD")])
                }
                return contents.answer(String(request.target.prefix { $0 != "?" }))
            }
            return DocumentListener(server: server, contents: contents)
        } catch {
            throw ListenerError(description: "cannot serve documents at \(host):\(port): \(error.reason)")
        }
    }

    /// Publishes a document, replacing an earlier one.
    ///
    /// - Parameter path: Starts with a slash.
    package func publish(_ body: [UInt8], as contentType: String, at path: String) {
        contents.put(body, contentType, at: path)
    }

    /// The number of requests for a document.
    package func fetches(of path: String) -> Int { contents.fetches(of: path) }

    /// Accepts no more connections.
    package func stop() async {
        await server.stop()
    }
}
