import Testing

@testable import Flows

@Suite(.timeLimit(.minutes(1))) struct AuthenticationChallengeTests {
    @Test(
        arguments: [
            (#"Bearer resource_metadata="https://r.example/m""#, "https://r.example/m"),
            (#"Bearer realm="a, b", Resource_Metadata = "https://r.example/m", error="x""#, "https://r.example/m"),
            (#"Basic realm="r", Bearer resource_metadata=https://r.example/m"#, "https://r.example/m"),
            // Inside a string it is a text.
            (#"Bearer realm="resource_metadata=\"https://evil.example\"""#, nil),
            (#"Bearer realm="\\", resource_metadata="m""#, "m"),
            (#"Bearer resource_metadata"#, nil), (#"Bearer resource_metadata="#, ""),
            (#"Bearer "resource_metadata"="m""#, nil),
            ("Bearer", nil), ("", nil), ("\"", nil), (nil, nil),
            // An unterminated string ends with the header.
            (#"Bearer resource_metadata="m"#, "m"),
        ] as [(String?, String?)]
    )
    func `a parameter is read outside of strings, in any case`(header: String?, value: String?) {
        #expect(AuthenticationChallenge.parameter("resource_metadata", in: header) == value)
    }
}
