import LoopbackServer

/// Answers as a broken or hostile issuer does: the first part of the path says how.
enum HostileServer {
    /// Runs `body` with the server's port.
    static func run(_ body: (Int) async throws -> Void) async throws {
        let server = LoopbackServer { connection in
            while let request = connection.readRequest() {
                guard answer(request, on: connection) else { return }
            }
        }
        defer { server.stop() }
        try await body(server.port)
    }

    /// - Returns: Whether the connection stays open.
    private static func answer(_ request: LoopbackRequest, on connection: LoopbackConnection) -> Bool {
        let mode = String(request.path.split(separator: "/").first ?? "")
        let base = "http://\(request.header("Host") ?? "")/\(mode)"
        switch mode {
        case "html":
            let page = "<!doctype html><title>Attention required</title>Please enable cookies."
            return connection.write(.page(page, status: 403))
        case "page": return connection.write(.page("<!doctype html><title>Welcome</title>"))
        case "big": return connection.write(json(#"{"issuer":""# + String(repeating: "x", count: 5 << 20) + #""}"#))
        case "endless":
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
            let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 16)
            while connection.write(blanks) {}
            return false
        case "loop": return connection.write(.redirect(base + "/.well-known/openid-configuration"))
        case "deep":
            let depth = 100_000
            return connection.write(json(String(repeating: "[", count: depth) + String(repeating: "]", count: depth)))
        case "truncated":
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n"
            connection.write(head + #"{"issuer":""# + base)
            return false
        case "control":
            let commands =
                #"\u001b[31m]]>\u0000<script>`|::error::##[group]##vso[task.setvariable variable=PATH]/x\u202e"#
            return connection.write(json(#"{"issuer":""# + base + "/" + commands + #""}"#))
        case "private":
            let address = "http://169.254.169.254/latest/meta-data"
            return connection.write(json(#"{"issuer":""# + base + #"","jwks_uri":""# + address + #""}"#))
        default:
            return connection.write(LoopbackReply(404, [("Content-Type", "text/plain")], body: Array("nothing".utf8)))
        }
    }

    private static func json(_ text: String) -> LoopbackReply {
        LoopbackReply(200, [("Content-Type", "application/json")], body: Array(text.utf8))
    }
}
