import Foundation
import Listening
import OtherPrograms
import Synchronization
import TestSupport
import Testing

/// The listener at a redirect URI on loopback, tested with non-conformant Python clients.
@Suite("The listener for a user's response", .oracle(.program("python3")), .timeLimit(.minutes(5)))
struct ResponseListenerTests {
    /// The received responses, and the listener's replies.
    private final class Received: Sendable {
        private let all = Mutex<[ReceivedResponse]>([])
        private let judge: @Sendable (ReceivedResponse, Int) -> ResponseReception

        var received: [ReceivedResponse] { all.withLock { $0 } }

        init(_ judge: @escaping @Sendable (ReceivedResponse, Int) -> ResponseReception) {
            self.judge = judge
        }

        @Sendable func take(_ response: ReceivedResponse) -> ResponseReception {
            let count = all.withLock { all in
                all.append(response)
                return all.count
            }
            return judge(response, count)
        }
    }

    private struct Listening {
        let port: Int
        let received: Received
        let listener: ResponseListener

        var authority: String { "127.0.0.1:\(port)" }

        /// The reply to bytes that are sent on a new connection.
        func talk(_ text: String, seconds: Double = 30) async throws -> OtherProgram.Outcome {
            try await OtherProgram.run("python3", [ResponseListenerTests.script, "\(port)", "\(seconds)"], input: text)
        }

        func request(_ line: String, _ fields: [String] = [], host: String? = nil, body: String = "") -> String {
            let all = ["\(line) HTTP/1.1", "Host: \(host ?? authority)", "Connection: close"] + fields
            return all.joined(separator: "\r\n") + "\r\n\r\n" + body
        }
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("talk.py").path

    /// A listener at a free port while the body runs.
    private static func listen(
        judge: @escaping @Sendable (ReceivedResponse, Int) -> ResponseReception = { response, _ in
            response.target.contains("code=") || response.form != nil ? .taken : .empty
        },
        _ body: (Listening) async throws -> Void
    ) async throws {
        let received = Received(judge)
        let listener = try await ResponseListener.listen(
            on: ["127.0.0.1"],
            port: 0,
            authority: { "127.0.0.1:\($0)" },
            path: "/callback",
            take: received.take
        )
        do {
            try await body(Listening(port: listener.port, received: received, listener: listener))
        } catch {
            await listener.stop()
            throw error
        }
        await listener.stop()
    }

    private static func status(_ outcome: OtherProgram.Outcome) -> String {
        String(outcome.text.split(separator: " ").dropFirst().first ?? "no answer: \(outcome.words)")
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: String
        var bytes: @Sendable (String) -> String

        init(_ name: String, _ status: String, _ bytes: @escaping @Sendable (String) -> String) {
            (testDescription, self.status, self.bytes) = (name, status, bytes)
        }
    }

    /// Each with the authority of the listener.
    static let refusals = [
        Refusal("a huge address", "414") {
            "GET /callback?code=\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\nHost: \($0)\r\n\r\n"
        },
        Refusal("a huge field", "431") {
            "GET /callback?code=c HTTP/1.1\r\nHost: \($0)\r\nX: \(String(repeating: "a", count: 70_000))\r\n\r\n"
        },
        Refusal("many fields", "431") {
            "GET /callback?code=c HTTP/1.1\r\nHost: \($0)\r\n\(String(repeating: "X: a\r\n", count: 12_000))\r\n"
        },
        Refusal("a body that is announced as huge", "413") {
            "POST /callback HTTP/1.1\r\nHost: \($0)\r\nContent-Length: 9999999999\r\n\r\n"
        },
        Refusal("a huge body", "413") {
            "POST /callback HTTP/1.1\r\nHost: \($0)\r\nContent-Length: 1048577\r\n\r\n\(String(repeating: "a", count: 1_048_577))"
        },
        Refusal("a huge body in chunks", "413") {
            "POST /callback HTTP/1.1\r\nHost: \($0)\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: "10000\r\n\(String(repeating: "a", count: 65_536))\r\n", count: 17) + "0\r\n\r\n"
        },
        Refusal("another host", "400") { _ in
            "GET /callback?code=c HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
        },
        Refusal("another port", "400") { _ in
            "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:1\r\nConnection: close\r\n\r\n"
        },
        Refusal("the machine by its name", "400") {
            "GET /callback?code=c HTTP/1.1\r\nHost: \($0.replacingOccurrences(of: "127.0.0.1", with: "localhost"))\r\nConnection: close\r\n\r\n"
        },
        Refusal("no host", "400") { _ in "GET /callback?code=c HTTP/1.1\r\nConnection: close\r\n\r\n" },
        Refusal("two hosts", "400") {
            "GET /callback?code=c HTTP/1.1\r\nHost: \($0)\r\nHost: \($0)\r\nConnection: close\r\n\r\n"
        },
        Refusal("another path", "404") { "GET /?code=c HTTP/1.1\r\nHost: \($0)\r\nConnection: close\r\n\r\n" },
        Refusal("a path below", "404") {
            "GET /callback/x?code=c HTTP/1.1\r\nHost: \($0)\r\nConnection: close\r\n\r\n"
        },
        Refusal("a fragment for an address that no page knows", "404") {
            "POST /0123456789 HTTP/1.1\r\nHost: \($0)\r\nContent-Length: 7\r\nConnection: close\r\n\r\n#code=c"
        },
        Refusal("another method", "405") {
            "DELETE /callback?code=c HTTP/1.1\r\nHost: \($0)\r\nConnection: close\r\n\r\n"
        },
    ]

    @Test("a request that is not a response is rejected with a status and ignored", arguments: refusals)
    func refused(refusal: Refusal) async throws {
        try await Self.listen { listening in
            let outcome = try await listening.talk(refusal.bytes(listening.authority))
            #expect(Self.status(outcome) == refusal.status)
            #expect(listening.received.received.isEmpty)
            // The reply repeats nothing from the request.
            #expect(!outcome.text.contains("code=") && !outcome.text.contains("evil"), "\(outcome.text.prefix(500))")
            let next = try await listening.talk(listening.request("GET /callback?code=right&state=s"))
            #expect(Self.status(next) == "200")
            #expect(listening.received.received.map(\.target) == ["/callback?code=right&state=s"])
        }
    }

    @Test("a form of the maximum length is received completely")
    func greatestForm() async throws {
        try await Self.listen { listening in
            let body = String(repeating: "b", count: 1 << 20)
            let fields = ["Content-Length: \(body.utf8.count)", "Content-Type: application/x-www-form-urlencoded"]
            let outcome = try await listening.talk(listening.request("POST /callback", fields, body: body))
            #expect(Self.status(outcome) == "200")
            #expect(listening.received.received.first?.form?.body.count == 1 << 20)
        }
    }

    @Test("a second response is checked independently, and is reported as one for another request")
    func second() async throws {
        let judge: @Sendable (ReceivedResponse, Int) -> ResponseReception = { _, count in
            count == 1 ? .taken : .ofAnotherRequest
        }
        try await Self.listen(judge: judge) { listening in
            let one = listening.request("GET /callback?code=a")
                .replacingOccurrences(of: "Connection: close\r\n", with: "")
            let outcome = try await listening.talk(one + listening.request("GET /callback?code=b"))
            #expect(listening.received.received.map(\.target) == ["/callback?code=a", "/callback?code=b"])
            let answers = outcome.text.components(separatedBy: "HTTP/1.1 200").dropFirst()
            #expect(answers.count == 2, "\(outcome.words)")
            #expect(answers.first?.contains("Done. You can close this page") == true)
            #expect(answers.last?.contains("belongs to another request") == true)
        }
    }

    @Test("a client that sends nothing, or a partial request, does not block others or stopping")
    func silent() async throws {
        try await Self.listen { listening in
            let arguments = [Self.script, "\(listening.port)", "60"]
            let (half, silent) = try await OtherProgram.beside("python3", arguments) { silent in
                try await OtherProgram.beside("python3", arguments) { half in
                    half.feed(Array("GET /callback?code=half".utf8))
                    for await line in silent.errorLines where line == "connected" { break }
                    for await line in half.errorLines where line == "said" { break }
                    let next = try await listening.talk(listening.request("GET /callback?code=right"))
                    #expect(Self.status(next) == "200")
                    await listening.listener.stop()
                }
                .outcome
            }
            // The listener closed both connections; the clients did not time out.
            #expect(half.code == 0 && silent.code == 0, "\(half.words)\(silent.words)")
            #expect(listening.received.received.map(\.target) == ["/callback?code=right"])
        }
    }

    @Test("pages that forward a fragment are limited in number, and each URL is valid only for its own page")
    func fragments() async throws {
        try await Self.listen { listening in
            let requests = (0..<70).map { listening.request("GET /callback?n=\($0)") }
            let kept = requests.dropLast().map { $0.replacingOccurrences(of: "Connection: close\r\n", with: "") }
            let outcome = try await listening.talk(kept.joined() + (requests.last ?? ""))
            #expect(outcome.text.components(separatedBy: "HTTP/1.1 200").count == 71)
            let places = outcome.text.matches(of: #/fetch\('([^']+)'/#).map { String($0.output.1) }
            #expect(places.count == 64 && Set(places).count == 64)
            let before = listening.received.received.count
            let fields = ["Content-Length: 13"]
            let stranger = try await listening.talk(
                listening.request("POST \(places[3])", fields, host: "evil.example", body: "#code=c&id=x1")
            )
            #expect(Self.status(stranger) == "400" && listening.received.received.count == before)
            let own = try await listening.talk(listening.request("POST \(places[3])", fields, body: "#code=c&id=x1"))
            #expect(Self.status(own) == "200")
            let received = try #require(listening.received.received.last)
            #expect(received.target == "/callback?n=3" && received.fragment == "code=c&id=x1")
        }
    }

    @Test("a port in use is reported with its address")
    func taken() async throws {
        try await Self.listen { listening in
            let error = await #expect(throws: ListenerError.self) {
                try await ResponseListener.listen(
                    on: ["127.0.0.1"],
                    port: listening.port,
                    authority: { _ in listening.authority },
                    path: "/callback",
                    take: { _ in .taken }
                )
            }
            #expect(error?.description.contains("cannot listen at \(listening.authority)") == true)
        }
    }
}
