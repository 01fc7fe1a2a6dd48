import Conformance
import Flows
import JSONTree
import SignIn
import Transport

extension FuzzTarget {
    private static let page = """
        <!DOCTYPE html><html><head><title>Sign in</title><base href="/x/"><meta http-equiv="refresh" content="1;url=/y">
        <script>if (a < b && c > d) { document.forms[0].submit() }</script></head><body onload="go()">
        <!-- <form> --><form method=post action="?a=b&amp;c"><label for=u>User name</label><input id=u name=username>
        <input type=password name='password'><select name=s><option value=1 selected>One</select><textarea name=t>x</textarea>
        <button name=b value=1>Sign in</button></form><div role=alert>No</div><noscript>Turn JavaScript on</noscript></body></html>
        """

    static let html = FuzzTarget(
        "html",
        texts: [page, "<p>"],
        pieces: [
            "<", ">", "</", "<form ", "<input ", " name=", "\"", "'", "<!--", "-->", "<script>", "</script>", "<table>",
            "<a a=1 ", " a", "&#",
            "&amp;", "<select>", "<option>", "<b>", "<meta charset=utf-16>", "<![CDATA[", "<noscript>", "<template>",
            "<svg>",
        ]
    ) { bytes in
        let page = HTMLReader.read(bytes)
        for form in page.forms where form.controls.count > bytes.count {
            return "more controls than bytes: \(form.action)"
        }
        return nil
    }

    static let cookies = FuzzTarget(
        "cookies",
        texts: [
            "sid=abc; Path=/; Secure; HttpOnly; SameSite=Lax", "a=b; Domain=.op.example; Max-Age=60",
            "x=y; Expires=Sun, 06 Nov 1994 08:49:37 GMT",
        ],
        pieces: [
            ";", "=", "; Path=", "; Domain=", "; Max-Age=", "; Expires=", ",", "\"", " ", "\t", "__Host-", "/", ".",
        ]
    ) { bytes in
        var jar = CookieJar()
        guard let url = WebURL("https://op.example/login/x") else { return "no URL" }
        for line in bytes.split(separator: 0x0A) {
            jar.store(setCookie: String(decoding: line, as: UTF8.self), from: url, now: 1_800_000_000)
        }
        let sent = jar.header(for: url, now: 1_800_000_000)?.utf8.count ?? 0
        return sent <= 32_768 && jar.count <= 300 ? nil : "\(sent) bytes of \(jar.count) cookies"
    }

    static let url = FuzzTarget(
        "url",
        texts: [
            "https://user:pass@op.example:8443/a/../b?c=d&e#f", "//op.example", "?x", "/%2e%2e/", "http://[::1]:80/",
            "ht%74p:x",
        ],
        pieces: [
            "/", "//", ":", "@", "?", "#", "%", "%00", "[", "]", ".", "..", "\\", " ", "https:", "::", "xn--", "é", "&",
            "=",
        ]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        guard let base = WebURL("https://op.example/a/b?c#d") else { return "no URL" }
        for url in [WebURL(text), base.resolve(text)].compactMap({ $0 }) {
            guard url.scheme == "http" || url.scheme == "https", !url.host.isEmpty else {
                return "not an http URL: \(url)"
            }
            if url.text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "a control character in \(url)" }
            if !url.text.utf8.contains(where: { $0 == 0x40 }), url.userInfo != nil {
                return "user information that the input does not contain"
            }
        }
        return nil
    }

    static let parameters = FuzzTarget(
        "parameters",
        texts: ["code=abc&state=x%20y+z&iss=https%3A%2F%2Fop.example", "error=access_denied&error_description=%C3%A9"],
        pieces: ["&", "=", "%", "%00", "%zz", "+", "&&", "code=", "state=", "#", "?", ";"]
    ) { bytes in
        let read = FormParameters(parsing: String(decoding: bytes, as: UTF8.self))
        // An empty name without value is written, and not read as a parameter.
        let again = FormParameters(parsing: read.serialized)
        return again == read ? nil : "the value changes when it is serialised"
    }

    static let fields = FuzzTarget(
        "fields",
        texts: [
            "text/html; charset=\"utf-8\"; boundary=x", "0;url=/next", "Bearer realm=\"a\", error=\"invalid_token\"",
        ],
        pieces: [";", ",", "=", "\"", "charset=", "url=", " ", "\t", "Basic ", "/", "\\"]
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let response = HTTPResponse(status: 200, headers: [HTTPField(name: "Content-Type", value: text)], body: bytes)
        _ = response.mediaType
        _ = HTMLPage.Refresh(text)
        return nil
    }

    private static let secret = "Canary-secret/+%&0123456789"

    /// JSON stays JSON without its secrets.
    static let secrets = FuzzTarget(
        "secrets",
        texts: [
            "{\"error\":\"x\",\"error_description\":\"\(secret)\"}", "a=\(PercentEncoding.encode(secret))&b=2",
            "<title>Canary-secret&#47;+%&amp;0123456789</title>", "Q2FuYXJ5LXNlY3JldC8rJSYwMTIzNDU2Nzg5",
            "\\u0043anary-secret\\/+%&0123456789",
        ],
        pieces: [
            "\\u00", "%", "%25", "&", "&#", "&amp;", "\\", "\"", secret, "Canary", "=", "Q2FuYXJ5", "eyJ", "{\"a\":\"",
            "\"}", "+", " ",
        ]
    ) { bytes in
        let pass = FinalRedaction()
        pass.note([("secret", Secret(secret))])
        let text = String(decoding: bytes, as: UTF8.self)
        let clean = pass.cleaned(text)
        if clean.lowercased().contains(secret.lowercased()) { return "the secret remains" }
        guard let root = try? JSONDocument.parse(Array(text.utf8)).root else { return nil }
        guard let after = try? JSONDocument.parse(Array(pass.cleaned(text, as: .json).utf8)).root else {
            return "valid JSON became invalid"
        }
        return root.kind == after.kind ? nil : "the kind of the JSON value changed"
    }

    static let log = FuzzTarget(
        "log",
        texts: [
            "::error file=a::b", "##vso[task.setvariable variable=PATH]x", "##[group]x", "\u{1B}[31mred\u{1B}[0m",
            "plain",
        ],
        pieces: [
            "::", "##", "[", "##[", "##vso[", "#", "\n", "\r", "\u{1B}[", "\u{1B}]0;", "\u{85}", "\u{9B}", " ",
            "\u{A0}", "\t",
        ]
    ) { bytes in
        let text = LogText.defused(String(decoding: bytes, as: UTF8.self))
        for line in text.split(separator: "\n") {
            let rest = line.unicodeScalars.drop { $0.properties.isWhitespace }
            if rest.starts(with: "::".unicodeScalars) { return "a line that begins with ::" }
            if line.contains("##[") || line.lowercased().contains("##vso[") { return "a line with a command" }
            if line.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" && $0 != "\u{1B}" }) {
                return "a control"
            }
        }
        return nil
    }
}
