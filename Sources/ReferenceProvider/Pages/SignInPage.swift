import Conformance

extension Page {
    /// The form for user name and password.
    ///
    /// - Parameters:
    ///   - action: The URL to which the form is sent.
    ///   - hidden: Hidden fields of the form.
    ///   - client: The client that the user signs in to.
    ///   - username: The initial value of the field.
    ///   - message: The error of the previous attempt.
    static func signIn(
        action: String,
        hidden: [Field],
        client: String,
        username: String?,
        message: String?
    ) -> HTTPAnswer {
        let carried = hidden.map { Self.hidden($0.name, $0.value) }.joined(separator: "\n")
        let alert = message.map { "<p role=\"alert\">\(escape($0))</p>\n" } ?? ""
        return html(
            title: "Sign in",
            """
            <p>to go on to <strong>\(escape(client))</strong></p>
            \(alert)<form method="post" action="\(escape(action))">
            \(carried)
            <label for="username">User name</label>
            <input id="username" name="username" type="text" value="\(escape(username ?? ""))" \
            autocomplete="username" autocapitalize="none" spellcheck="false" required>
            <label for="password">Password</label>
            <input id="password" name="password" type="password" autocomplete="current-password" required>
            <button type="submit">Sign in</button>
            </form>
            """
        )
    }
}
