import Testing

@testable import Conformance

@Suite("Pages that reject a request with a success status", .timeLimit(.minutes(1)))
struct RejectionPageTests {
    struct Shown: Sendable, CustomTestStringConvertible {
        var title = "Sign in"
        var text = ""
        var address = "https://op.example/authorize?client_id=…"
        var fields: [[String]] = []
        let isRejection: Bool

        var testDescription: String { "\(title): \(text) at \(address)" }
    }

    @Test(arguments: [
        Shown(text: "Access blocked. Error 400: redirect_uri_mismatch", isRejection: true),
        Shown(text: "AADSTS50011: The redirect URI does not match the URIs of the application", isRejection: true),
        Shown(text: "Désolé : invalid_request", isRejection: true),
        Shown(text: "invalid_request", fields: [["lang"]], isRejection: true),
        Shown(text: "Unknown client_id", isRejection: true),
        Shown(title: "Error - Example", text: "We could not process your request", isRejection: true),
        Shown(address: "https://op.example/signin/oauth/error?authError=…", isRejection: true),
        Shown(address: "https://op.example/oauth2_error.do?oauthErrorCode=…", isRejection: true),
        Shown(text: "Sign in to continue", isRejection: false),
        Shown(address: "https://op.example/login?goto=…&on_error=…", isRejection: false),
        Shown(address: "https://op.example/home?error=…&error_description=…", isRejection: true),
        Shown(text: "Sign in to continue", address: "https://op.example/", isRejection: false),
        Shown(text: "invalid_request", fields: [["username", "password"]], isRejection: false),
        Shown(text: "Allow App? It returns you to the redirect URI", fields: [["approve"]], isRejection: false),
        Shown(text: "Terror alert: read about the mirror", address: "https://error.example/login", isRejection: false),
    ])
    func isRejection(_ shown: Shown) {
        let forms = shown.fields.map { FormSummary(action: "", method: "post", fields: $0) }
        let page = PageSummary(
            address: shown.address,
            status: 200,
            title: shown.title,
            forms: forms,
            text: shown.text
        )
        #expect(page.isRejection == shown.isRejection)
        #expect(page.isError == shown.isRejection)
    }
}
