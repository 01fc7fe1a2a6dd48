import Listening
import OtherPrograms
import TestSupport
import Testing

/// The documents that a provider fetches from this machine, fetched with curl.
@Suite("The listener with a client's documents", .oracle(.program("curl")), .timeLimit(.minutes(5)))
struct DocumentListenerTests {
    @Test func `the latest document is served, and every fetch is counted`() async throws {
        let listener = try await DocumentListener.listen(host: "127.0.0.1", port: 0)
        let address = "http://127.0.0.1:\(listener.port)"
        listener.publish(Array(#"{"keys":[]}"#.utf8), as: "application/json", at: "/a/keys")
        let format = "%{http_code} %{content_type}"
        func fetch(_ path: String, _ more: [String] = []) async throws -> String {
            try await OtherProgram.run("curl", ["-sS", "-w", format] + more + [address + path], input: "").text
        }
        #expect(try await fetch("/a/keys") == #"{"keys":[]}200 application/json"#)
        listener.publish(Array("new".utf8), as: "text/plain", at: "/a/keys")
        #expect(try await fetch("/a/keys?again") == "new200 text/plain")
        #expect(try await fetch("/b/keys").hasPrefix("404"))
        #expect(try await fetch("/a/keys", ["-X", "POST"]).hasPrefix("405"))
        #expect(listener.fetches(of: "/a/keys") == 2)
        #expect(listener.fetches(of: "/b/keys") == 0)
        await listener.stop()
    }
}
