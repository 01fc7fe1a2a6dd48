import JSONTree
import Testing

@Suite("Messages in error bodies", .timeLimit(.minutes(1)))
struct ErrorMessageTests {
    @Test(
        arguments: [
            (#"{"error":"invalid_request"}"#, "invalid_request"),
            (#"{"error":"invalid_request","error_description":"No tenant."}"#, "No tenant."),
            (
                #"{"error":"invalid_request","error_description":"It lacks a parameter","hint":"Check the `audience` parameter"}"#,
                "It lacks a parameter; Check the `audience` parameter"
            ),
            (
                #"{"error_description":"It is malformed.","error":"x","reason":"PKCE is required for client"}"#,
                "It is malformed. PKCE is required for client"
            ),
            (#"{"message":"It failed twice","detail":"It failed twice"}"#, "It failed twice"),
            (#"{"errors":[{"detail":"No such client here","code":"E7"}]}"#, "No such client here"),
            (#"{"state":"a b"}"#, nil),
        ] as [(String, String?)]
    )
    func message(body: String, message: String?) throws {
        #expect(try JSONDocument.parse(body).root.errorMessage == message)
    }
}
