import Testing
import Transport

@testable import SignIn

/// Which forms and scripts of a page its policy lets through (CSP Level 3, sections on form-action and script-src).
@Suite(.timeLimit(.minutes(5))) struct ContentSecurityPolicyTests {
    struct Form: Sendable, CustomTestStringConvertible {
        var policy: String
        var target: String
        var page = "https://op.example/consent"
        var isRedirected = true
        var isSent: Bool

        var testDescription: String { "\(policy) | \(page) | \(target)" }
    }

    private static let client = "https://rp.example/callback?code=x"

    static let forms: [Form] = [
        Form(policy: "default-src 'none'", target: client, isSent: true),
        Form(policy: "form-action 'self'", target: client, isSent: false),
        Form(policy: "FORM-ACTION 'SELF'", target: "https://op.example/next", isSent: true),
        Form(policy: "form-action 'self'", target: "https://op.example:8443/next", isSent: false),
        Form(policy: "form-action 'self' é", target: client, isSent: true),
        Form(policy: "form-action", target: "https://op.example/next", isSent: false),
        Form(policy: "form-action 'none'", target: "https://op.example/next", isSent: false),
        Form(policy: "form-action 'self' https://rp.example", target: client, isSent: true),
        Form(policy: "form-action 'self' rp.example", target: client, isSent: true),
        Form(policy: "form-action http://rp.example", target: client, isSent: true),
        Form(policy: "form-action https://rp.example", target: "http://rp.example/callback", isSent: false),
        Form(policy: "form-action rp.example:*", target: "https://rp.example:444/callback", isSent: true),
        Form(policy: "form-action rp.example", target: "https://rp.example:444/callback", isSent: false),
        Form(policy: "form-action *.example", target: client, isSent: true),
        Form(policy: "form-action *.rp.example", target: client, isSent: false),
        Form(policy: "form-action https:", target: client, isSent: true),
        Form(policy: "form-action https:", target: "com.example.app:/callback", isSent: false),
        Form(policy: "form-action com.example.app:", target: "com.example.app:/callback", isSent: true),
        Form(policy: "form-action *", target: client, isSent: true),
        Form(policy: "form-action *", target: "com.example.app:/callback", isSent: false),
        Form(policy: "form-action https://rp.example/other", target: client, isSent: true),
        Form(policy: "form-action https://rp.example/other", target: client, isRedirected: false, isSent: false),
        Form(policy: "form-action https://rp.example/", target: client, isRedirected: false, isSent: true),
        Form(policy: "form-action 'self'; form-action *", target: client, isSent: false),
        Form(policy: "sandbox allow-scripts", target: client, isSent: false),
        Form(policy: "sandbox allow-forms", target: client, isSent: true),
        Form(
            policy: "form-action 'self'",
            target: "https://op.example/next",
            page: "http://op.example/consent",
            isSent: true
        ),
    ]

    @Test(arguments: forms) func `a form and the redirects behind it`(form: Form) throws {
        let page = try #require(WebURL(form.page))
        let blocking = ContentSecurityPolicy(form.policy)
            .directive(blockingFormTo: form.target, on: page, isRedirected: form.isRedirected)
        #expect((blocking == nil) == form.isSent, "\(blocking ?? "")")
    }

    @Test func `each of several policies applies, one that only reports does not, and one in the page does`() throws {
        var response = HTTPResponse(status: 200)
        response.headers = [
            HTTPField(name: "Content-Security-Policy", value: "form-action https:, form-action 'self'"),
            HTTPField(name: "Content-Security-Policy-Report-Only", value: "form-action 'none'"),
        ]
        let html = "<meta http-equiv=content-security-policy content=\"script-src 'none'; sandbox\"><form></form>"
        let page = HTMLReader.read(Array(html.utf8))
        let url = try #require(WebURL("https://op.example/consent"))
        let policies = ContentSecurityPolicy.policies(of: response, page)
        #expect(policies.count == 3)
        let pageGuard = PageGuard(policies: policies, page: url)
        #expect(pageGuard.block(to: "https://op.example/next", isRedirected: true) == nil)
        let blocked = pageGuard.block(to: Self.client, isRedirected: true)
        #expect(blocked?.directive == "form-action 'self'")
        #expect(blocked?.target == "https://rp.example/callback")
    }

    struct Script: Sendable, CustomTestStringConvertible {
        var policy: String
        var html: String
        var runs: Bool

        var testDescription: String { "\(policy) | \(html)" }
    }

    private static let inline = "<script>document.forms[0].submit()</script>"
    /// By `printf 'document.forms[0].submit()' | openssl dgst -sha256 -binary | base64`.
    private static let hash = "'sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE='"

    static let scripts: [Script] = [
        Script(policy: "form-action 'self'", html: inline, runs: true),
        Script(policy: "script-src 'self'", html: inline, runs: false),
        Script(policy: "default-src 'self'", html: inline, runs: false),
        Script(policy: "default-src 'none'; script-src 'unsafe-inline'", html: inline, runs: true),
        Script(policy: "script-src 'unsafe-inline' 'nonce-abc'", html: inline, runs: false),
        Script(policy: "script-src 'nonce-abc'", html: "<script nonce=abc>go()</script>", runs: true),
        Script(policy: "script-src 'nonce-abc'", html: "<script nonce=other>go()</script>", runs: false),
        Script(policy: "script-src \(hash)", html: inline, runs: true),
        Script(policy: "script-src \(hash)", html: "<script>go()</script>", runs: false),
        Script(policy: "script-src-elem 'none'; script-src 'unsafe-inline'", html: inline, runs: false),
        Script(policy: "script-src 'self'", html: "<script src=/submit.js></script>", runs: true),
        Script(policy: "script-src 'self'", html: "<script src=https://cdn.example/submit.js></script>", runs: false),
        Script(policy: "script-src 'self'", html: "<body onload='document.forms[0].submit()'>", runs: false),
        Script(policy: "script-src 'unsafe-inline'", html: "<body onload='go()'>", runs: true),
        Script(
            policy: "script-src 'unsafe-hashes' \(hash)",
            html: "<body onload='document.forms[0].submit()'>",
            runs: true
        ),
        Script(policy: "script-src \(hash)", html: "<body onload='document.forms[0].submit()'>", runs: false),
        Script(policy: "sandbox allow-forms", html: inline, runs: false),
    ]

    @Test(arguments: scripts) func `a script that sends the form`(script: Script) throws {
        let page = try #require(WebURL("https://op.example/authorize"))
        let html = HTMLReader.read(Array(script.html.utf8))
        let blocking = ContentSecurityPolicy(script.policy).directive(blockingScriptsOf: html, on: page)
        #expect((blocking == nil) == script.runs, "\(blocking ?? "")")
    }
}
