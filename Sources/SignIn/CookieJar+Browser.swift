import Browsing

/// Moving a user's cookies from one browser to another.
extension CookieJar {
    var browserCookies: [BrowserCookie] {
        cookies.map { cookie in
            BrowserCookie(
                name: cookie.name,
                value: cookie.value,
                domain: cookie.domain,
                isHostOnly: cookie.isHostOnly,
                path: cookie.path,
                isSecure: cookie.isSecure,
                expiry: cookie.expiry
            )
        }
    }

    init(_ cookies: [BrowserCookie]) {
        self.init(
            cookies: cookies.enumerated()
                .map { serial, cookie in
                    Cookie(
                        name: cookie.name,
                        value: cookie.value,
                        domain: cookie.domain,
                        isHostOnly: cookie.isHostOnly,
                        path: cookie.path,
                        isSecure: cookie.isSecure,
                        expiry: cookie.expiry,
                        serial: serial
                    )
                }
        )
    }
}
