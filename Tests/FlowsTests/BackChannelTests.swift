import Conformance
import JOSE
import JSONTree
import Listening
import OtherPrograms
import TestSupport
import Testing

@testable import Flows

/// The sender of messages at the back-channel listener, which any host can reach.
@Suite(.timeLimit(.minutes(5))) struct BackChannelTests {
    private static func message(_ method: String, signed isVerified: Bool?) -> BackChannelMessage {
        let token = isVerified.map { isVerified in
            TokenFacts(
                partCount: 3,
                partFaults: [nil, nil, nil],
                header: nil,
                claims: nil,
                trials: [SignatureTrial(key: .published(0), isVerified: isVerified)],
                receivedAt: 0
            )
        }
        return BackChannelMessage(method: method, contentType: nil, parameters: [], token: token)
    }

    private static let genuine = message("POST", signed: true)
    private static let unsigned = message("POST", signed: false)
    private static let scan = message("POST", signed: nil)

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var received: [BackChannelMessage]
        var areAll = true
        /// `nil` if nothing can be said.
        var expected: [BackChannelMessage]?
    }

    private static let cases = [
        Case(testDescription: "nothing", received: [], expected: []),
        Case(testDescription: "the provider's message", received: [genuine], expected: [genuine]),
        Case(testDescription: "a wrong signature", received: [unsigned], expected: [unsigned]),
        Case(testDescription: "a message without a token", received: [scan], expected: [scan]),
        Case(
            testDescription: "a forgery before and a scan after the provider's message",
            received: [unsigned, genuine, scan],
            expected: [genuine]
        ),
        Case(testDescription: "a scan before a wrong signature", received: [scan, unsigned], expected: [unsigned]),
        Case(
            testDescription: "a flood after the provider's message",
            received: [genuine] + Array(repeating: unsigned, count: 63),
            areAll: false,
            expected: [genuine]
        ),
        Case(
            testDescription: "a flood before the provider's message",
            received: Array(repeating: unsigned, count: 64),
            areAll: false,
            expected: nil
        ),
    ]

    @Test(.oracle(.program("curl")))
    func `a stranger's request does not end the wait for the provider's message`() async throws {
        let key = try PrivateKey.generate(.ec(.p256))
        let token = try JWS.sign(Array("{}".utf8), with: key, algorithm: .es256)
        let set: JSONObject = ["keys": [.object(key.publicKey.jwk().object)]]
        let trials = TokenTrials(keySet: Array(set.serialized().utf8), redactor: Redactor(keepsTokens: false))
        let listener = try await Listener.listen(host: "127.0.0.1", port: 0) { _ in true }
        let address = "http://127.0.0.1:\(listener.port)/logout"
        func send(_ form: String) async throws {
            #expect(try await OtherProgram.run("curl", ["-sS", "-d", form, address]).isSuccess)
        }
        try await send("logout_token=a.b.c")
        // A clock that stands still: the wait ends with the message, or not at all.
        async let messages = BackChannel.messages(at: listener, wait: true, trials) { 0 }
        try await send("logout_token=\(token)")
        #expect(await messages.map { $0.token?.trials.contains(where: \.isVerified) } == [false, true])
        await listener.stop()
    }

    @Test(arguments: cases) func `strangers' messages are not blamed on the provider`(example: Case) {
        #expect(BackChannel.ofTheProvider(example.received, areAll: example.areAll).value == example.expected)
    }
}
