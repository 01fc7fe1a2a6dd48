import Conformance
import JOSE
import JSONTree

/// The pages of each ``SignInVariant``, with the wording and markup of real sign-in pages.
extension Page {
    /// A sign-in form: its message, fields and buttons.
    static func step(
        title: String,
        action: String,
        hidden: [Field],
        message: String? = nil,
        _ content: String
    ) -> HTTPAnswer {
        let alert = message.map { "<p role=\"alert\">\(escape($0))</p>\n" } ?? ""
        return html(
            title: title,
            """
            \(alert)<form method="post" action="\(escape(action))">
            \(hidden.map { Self.hidden($0.name, $0.value) }.joined(separator: "\n"))
            \(content)
            </form>
            """
        )
    }

    static let nameField = """
        <label for="username">User name</label>
        <input id="username" name="username" type="text" autocomplete="username" required>
        <button type="submit">Next</button>
        """

    static let passwordField = """
        <label for="password">Password</label>
        <input id="password" name="password" type="password" autocomplete="current-password" required>
        <button type="submit">Sign in</button>
        """

    /// The number of digits is stated by the field's attributes (RFC 6238 allows several).
    static func codeField(digits: Int) -> String {
        """
        <p>Open your authenticator app and enter the code that it shows.</p>
        <label for="code">\(digits)-digit code</label>
        <input id="code" name="code" type="text" inputmode="numeric" maxlength="\(digits)" autocomplete="one-time-code" required>
        <button type="submit">Verify</button>
        """
    }

    /// One field per digit, all with the same name.
    static func codeBoxes(digits: Int) -> String {
        let boxes = (1...digits)
            .map { place in
                "<input name=\"code\" type=\"text\" inputmode=\"numeric\" maxlength=\"1\" aria-label=\"Digit \(place)\" required>"
            }
        return """
            <p>Open your authenticator app and enter the code that it shows.</p>
            \(boxes.joined(separator: "\n"))
            <button type="submit">Verify</button>
            """
    }

    static let sentCodeField = """
        <p>We sent a text message with a code to the telephone number that ends in 34.</p>
        <label for="code">Code</label>
        <input id="code" name="code" type="text" inputmode="numeric" maxlength="6" autocomplete="one-time-code" required>
        <button type="submit">Verify</button>
        """

    static let staySignedIn = """
        <p>Do this to be asked for your password less often.</p>
        <button type="submit" name="stay" value="no">No</button>
        <button type="submit" name="stay" value="yes">Yes</button>
        """

    static let newTerms = """
        <p>Our terms of use have changed.</p>
        <label><input type="checkbox" name="terms" value="2" required> I have read the terms of use</label>
        <button type="submit">Accept and continue</button>
        """

    static let captcha = """
        <div class="h-captcha" data-sitekey="k"></div>
        <button type="submit">Continue</button>
        """

    static func accounts(_ accounts: [Account]) -> String {
        let buttons = accounts.map { account in
            let name = account.claims["name"]?.stringValue ?? account.username
            return
                "<button type=\"submit\" name=\"account\" value=\"\(escape(account.username))\">\(escape(name))</button>"
        }
        return buttons.joined(separator: "\n")
            + "\n<button type=\"submit\" name=\"account\" value=\"\">Use another account</button>"
    }

    /// An account chooser with one link per account.
    ///
    /// - Parameter address: The URL of an account's link.
    static func accountLinks(_ accounts: [Account], address: (String) -> String) -> HTTPAnswer {
        let links = accounts.map { account in
            let name = account.claims["name"]?.stringValue ?? ""
            let href = escape(address(account.username))
            return
                "<li><a href=\"\(href)\"><span>\(escape(name))</span> <span>\(escape(account.username))</span></a></li>"
        }
        return html(title: "Choose an account", "<h1>Choose an account</h1><ul>\(links.joined(separator: "\n"))</ul>")
    }

    /// The page without a form; `nil` for sign-ins that have forms.
    static func wall(_ variant: SignInVariant) -> HTTPAnswer? {
        switch variant {
        case .otherProvider:
            html(
                title: "Sign in",
                "<p><a href=\"/federate/a\">Continue with Google</a> <a href=\"/federate/b\">Sign in with SSO</a></p>"
            )
        case .botWall: botWall
        case .blockedAgent:
            html(
                status: 403,
                title: "Access blocked",
                "<p>This browser is not supported. Error 403: disallowed_useragent</p>"
            )
        case .errorPage:
            html(
                title: "Error",
                "<script></script><div class=\"skin\"><p>Something went wrong with your account. Incident 4711.</p></div>"
            )
        default: nil
        }
    }

    private static var botWall: HTTPAnswer {
        var answer = html(
            status: 403,
            title: "Just a moment...",
            "<p>Verify you are human by completing the action below.</p><script></script>"
        )
        answer.headers.append(Field("cf-mitigated", "challenge"))
        return answer
    }

    /// An empty page with a script that creates the form, and also submits it if requested.
    static func madeByScript(
        action: String,
        hidden: [Field],
        sendsByFetch: Bool,
        message: String?
    ) -> HTTPAnswer {
        let alert = message.map { "<p role=\"alert\">\(escape($0))</p>" } ?? ""
        let data = hidden.map { " data-\($0.name)=\"\(escape($0.value))\"" }.joined()
        let script = sendsByFetch ? makesForm + sendsForm : makesForm
        return scripted(
            title: "Sign in",
            """
            <div id="root" data-action="\(escape(action))"\(data)>\(alert)</div>
            <noscript>You need to enable JavaScript to run this app.</noscript>
            """,
            script
        )
    }

    private static let makesForm = """
        const root = document.getElementById('root');
        setTimeout(() => {
          const form = document.createElement('form');
          form.method = 'post';
          form.action = root.dataset.action;
          for (const name of ['request', 'token']) {
            const field = document.createElement('input');
            Object.assign(field, { type: 'hidden', name, value: root.dataset[name] });
            form.append(field);
          }
          for (const [name, type, words] of [['username', 'text', 'User name'], ['password', 'password', 'Password']]) {
            const label = document.createElement('label');
            const field = document.createElement('input');
            Object.assign(field, { id: name, name, type });
            label.append(words, field);
            form.append(label);
          }
          const button = document.createElement('button');
          button.textContent = 'Sign in';
          form.append(button);
          root.append(form);
        }, 50);

        """

    private static let sendsForm = """
        root.addEventListener('submit', async event => {
          event.preventDefault();
          const answer = await fetch(root.dataset.action, { method: 'POST', body: new URLSearchParams(new FormData(event.target)) });
          if (answer.redirected) { location = answer.url; return; }
          const alert = document.createElement('p');
          alert.setAttribute('role', 'alert');
          alert.textContent = 'User name or password is wrong.';
          root.prepend(alert);
        });

        """

    /// A form of hidden fields that a script submits.
    static func selfPosting(action: String, hidden: [Field]) -> HTTPAnswer {
        scripted(
            title: "Working",
            """
            <form method="post" action="\(escape(action))">
            \(hidden.map { Self.hidden($0.name, $0.value) }.joined(separator: "\n"))
            </form>
            """,
            "document.forms[0].submit()"
        )
    }

    /// A page with one script, which may send requests to this provider.
    static func scripted(title: String, _ content: String, _ script: String) -> HTTPAnswer {
        var answer = html(title: title, content + "\n<script>\(script)</script>")
        answer.setHeader(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; script-src 'sha256-"
                + Base64.encode(Hashes.sha256(Array(script.utf8))) + "'; base-uri 'none'; frame-ancestors 'none'"
        )
        return answer
    }
}
