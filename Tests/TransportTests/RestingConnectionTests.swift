import TestSupport
import Testing
import Transport

/// Connections that are idle for a while.
///
/// libcurl uses the machine's clock with whole seconds, at least two, so the test takes that long.
@Suite(.phase(.sockets), .timeLimit(.minutes(20)), .oracle(.program("openssl")), .oracle(.program("python3")))
struct RestingConnectionTests {
    @Test(arguments: [(longestRest: 2, isReused: false), (900, true)])
    func `a connection that rested too long is not used again`(longestRest: Int, isReused: Bool) async throws {
        let folder = try await CertificateFolder.shared.value
        let server = try await ServingProgram(LostRequestTests.losing, in: folder)
        defer { server.stop() }
        let client = LostRequestTests.client(folder, longestRest: longestRest)
        _ = await client.get(server.url)
        try await Task.sleep(for: .seconds(2.1))
        let second = await client.get(server.url)
        #expect(second.response?.text == "2")
        #expect(second.reusedConnection == isReused)
    }
}
