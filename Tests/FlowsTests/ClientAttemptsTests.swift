import Conformance
import Testing

@testable import Flows

@Suite("Rejected clients", .timeLimit(.minutes(1)))
struct ClientAttemptsTests {
    @Test(
        "only a rejection of the client itself keeps its secret from being sent again",
        arguments: [
            (401, #"{"error":"invalid_client"}"#, true),
            (400, #"{"error":"invalid_client"}"#, true),
            // GitHub returns errors with status 200.
            (200, #"{"error":"incorrect_client_credentials"}"#, true),
            (200, #"{"error":"bad_verification_code"}"#, false),
            (401, #"{"error":"invalid_grant"}"#, false),
            (429, "", false),
            (200, #"{"access_token":"a"}"#, false),
        ]
    )
    func refused(status: Int, body: String, isRefused: Bool) async {
        let attempts = ClientAttempts()
        await attempts.ended(Self.response(status, body), by: "c", at: "token_endpoint")
        #expect(await attempts.isRefused("c") == isRefused)
    }

    @Test("an error with status 200 has not accepted the client, and tokens have")
    func accepted() async {
        let attempts = ClientAttempts()
        let rejection = Self.response(401, #"{"error":"invalid_client"}"#)
        await attempts.ended(Self.response(200, #"{"error":"unverified_user_email"}"#), by: "a", at: "token_endpoint")
        await attempts.ended(rejection, by: "a", at: "token_endpoint")
        #expect(await attempts.isRefused("a"))
        await attempts.ended(Self.response(200, #"{"access_token":"a"}"#), by: "b", at: "token_endpoint")
        await attempts.ended(rejection, by: "b", at: "token_endpoint")
        #expect(await !attempts.isRefused("b"), "the rejection of an accepted client has another reason")
    }

    private static func response(_ status: Int, _ body: String) -> Exchange.Response {
        Exchange.Response(status: status, headers: [], body: .text(body))
    }
}
