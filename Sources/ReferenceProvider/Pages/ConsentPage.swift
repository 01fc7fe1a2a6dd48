import Conformance

extension Page {
    /// The form with which a user allows or denies a client access.
    ///
    /// - Parameters:
    ///   - action: The URL to which the form is sent.
    ///   - hidden: Hidden fields of the form.
    ///   - client: The client that requests access.
    ///   - username: The user who is signed in.
    ///   - scopes: The requested scopes.
    static func consent(
        action: String,
        hidden: [Field],
        client: String,
        username: String,
        scopes: [String]
    ) -> HTTPAnswer {
        let carried = hidden.map { Self.hidden($0.name, $0.value) }.joined(separator: "\n")
        let items = scopes.map { "<li>\(escape(meaning(of: $0)))</li>" }.joined(separator: "\n")
        return html(
            title: "Allow access?",
            """
            <p><strong>\(escape(client))</strong> asks to know, of <strong>\(escape(username))</strong>:</p>
            <ul>
            \(items)
            </ul>
            <form method="post" action="\(escape(action))">
            \(carried)
            <button type="submit" name="answer" value="accept">Allow</button>
            <button type="submit" name="answer" value="deny">Deny</button>
            </form>
            """
        )
    }

    private static func meaning(of scope: String) -> String {
        switch scope {
        case "openid": "who you are at this provider"
        case "profile": "your name and the rest of your profile"
        case "email": "your email address"
        case "address": "your postal address"
        case "phone": "your telephone number"
        case "offline_access": "all this also while you are away"
        default: scope
        }
    }
}
