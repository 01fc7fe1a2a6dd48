import Listening
import OtherPrograms
import TestSupport
import Testing

/// The listener for messages that a provider sends on its own, attacked with curl.
@Suite("The listener for back-channel messages", .oracle(.program("curl")), .timeLimit(.minutes(5)))
struct ListenerTests {
    @Test func `requests that cannot be a message use no space, and a flood is detected`() async throws {
        let listener = try await Listener.listen(host: "127.0.0.1", port: 0) { $0.method == "POST" }
        let address = "http://127.0.0.1:\(listener.port)/logout"
        func send(_ count: Int, _ arguments: [String]) async throws {
            let numbered = "\(address)?[1-\(count)]"
            #expect(try await OtherProgram.run("curl", ["-sS"] + arguments + [numbered]).isSuccess)
        }
        try await send(100, [])
        #expect(listener.requests.isEmpty && !listener.isFull)
        try await send(64, ["-d", "logout_token=a"])
        #expect(listener.requests.count == 64 && !listener.isFull)
        try await send(1, ["-d", "logout_token=b"])
        #expect(listener.requests.count == 64 && listener.isFull)
        #expect(listener.requests.allSatisfy { $0.body == Array("logout_token=a".utf8) })
        await listener.stop()
    }
}
