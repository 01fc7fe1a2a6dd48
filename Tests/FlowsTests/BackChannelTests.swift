import Conformance
import Testing

@testable import Flows

/// The sender of messages at the back-channel listener, which anybody can reach.
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

    @Test(arguments: cases) func `strangers' messages are not blamed on the provider`(example: Case) {
        #expect(BackChannel.ofTheProvider(example.received, areAll: example.areAll).value == example.expected)
    }
}
