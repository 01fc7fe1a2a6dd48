/// Pages in the shape of those that providers serve, written for these tests.
enum Pages {
    /// Canaille requests the name first; the box must not be ticked.
    static let canailleLogin = """
        <!doctype html><html><head><title>Sign in</title></head><body>
        <nav><form action="/search" method="get"><input type="search" name="q"></form></nav>
        <form id="main" method="POST" action="">
        <input id="csrf_token" name="csrf_token" type="hidden" value="c&quot;1">
        <label for="login">Login</label><input id="login" name="login" placeholder="jane" required type="text" value="">
        <input type="checkbox" name="remember"><button type="submit" class="primary">Continue</button></form></body></html>
        """

    static let canaillePassword = """
        <html><head><title>Password</title></head><body><form method="POST" action="">
        <input name="csrf_token" type="hidden" value="c2"><input name="username" type="hidden" value="alice">
        <input id="password" name="password" type="password"><button type="submit">Sign in</button>
        <a href="/reset">Forgotten password</a></form></body></html>
        """

    static let canailleConsent = """
        <html><head><title>Authorize</title></head><body><form method="POST" action="">
        <input name="csrf_token" type="hidden" value="c3">
        <button name="answer" type="submit" value="deny" id="deny"> Deny </button>
        <button name="answer" type="submit" value="logout" id="logout"> Switch user </button>
        <button name="answer" type="submit" value="accept" id="accept"> Accept </button></form></body></html>
        """

    static let djangoLogin = """
        <html><title>Log in</title><form method="post"><input type="hidden" name="csrfmiddlewaretoken" value="t1">
        <p><label for="id_username">Username:</label> <input type="text" name="username" maxlength="150" id="id_username">
        <p><label for="id_password">Password:</label> <input type="password" name="password" id="id_password"></p>
        <input type="hidden" name="next" value="/o/authorize/?a=b&amp;c=d"><button type="submit">Log in</button></form></html>
        """

    static let djangoConsent = """
        <html><body><div><form id="authorizationForm" method="post"><h3>Authorize client?</h3>
        <input type="hidden" name="csrfmiddlewaretoken" value="t2"><input type="hidden" name="scope" value="openid email">
        <p>Application requires the following permissions</p><ul><li>OpenID</li></ul>
        <div class="controls"><input type="submit" class="btn" value="Cancel"/>
        <input type="submit" class="btn btn-primary" name="allow" value="Authorize"/></div></form></div></body></html>
        """

    /// Keycloak's page has its other ways to sign in beside the form, and a box that is ticked stays ticked.
    static let keycloakLogin = """
        <html><head><title>Sign in to lab</title><script src="x.js"></script></head><body>
        <form id="kc-form-login" onsubmit="login.disabled = true; return true;"
         action="/realms/lab/login-actions/authenticate?session_code=s1&amp;execution=e1" method="post">
        <label for="username">Username or email</label>
        <input tabindex="1" id="username" name="username" value="" type="text" autofocus autocomplete="off"/>
        <input tabindex="2" id="password" name="password" type="password" autocomplete="off"/>
        <input tabindex="3" id="rememberMe" name="rememberMe" type="checkbox" checked>
        <input type="hidden" id="id-hidden-input" name="credentialId"/>
        <input tabindex="4" name="login" id="kc-login" type="submit" value="Sign In"/></form>
        <form method="get" action="/broker"><button type="submit">Sign in with Google</button></form></body></html>
        """

    static let keycloakConsent = """
        <html><body><form class="form-actions" action="/realms/lab/consent" method="POST">
        <input type="hidden" name="code" value="k1"><ul><li>Email address</li></ul>
        <input name="cancel" id="kc-cancel" type="submit" value="No"/>
        <input name="accept" id="kc-login" type="submit" value="Yes"/></form></body></html>
        """

    /// The first page of a provider that is a JavaScript application.
    static let scriptOnly = """
        <html><head><title>Sign in to your account</title><noscript>
        <meta http-equiv="Refresh" content="0; URL=/jsdisabled" /></noscript><script>$Config={}</script></head>
        <body><div></div><script src="app.js"></script></body></html>
        """

    static func formPost(action: String) -> String {
        """
        <html><head><title>Submit This Form</title></head><body onload="javascript:document.forms[0].submit()">
        <form method="post" action="\(action)"><input type="hidden" name="state" value="s&amp;t"/>
        <input type="hidden" name="id_token" value="a.b.c"/><noscript><button>Continue</button></noscript></form></body></html>
        """
    }
}
