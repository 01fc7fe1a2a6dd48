import Conformance

/// Faults of responses with response_mode=form_post.
extension Fault {
    static let formPosts: [Fault] = [
        .provider(
            "authorization.form-post.is-answered-by-a-form",
            "form_post is advertised, but the response is a redirect"
        ) {
            $0.onPosted { $0.mode = $0["id_token"] == nil && $0["access_token"] == nil ? .query : .fragment }
        },
        .provider("authorization.form-post.holds-what-was-asked", "the form has no code") {
            $0.onPosted { $0["code"] = nil }
        },
        .provider(
            "authorization.form-post.action-is-redirect-uri",
            "the form is posted to a path below the redirect URI"
        ) {
            $0.onPosted { $0.redirectURI += "/form" }
        },
        .provider("authorization.form-post.method-is-post", "the form uses method GET") {
            $0.onPage { $0.text = $0.text.replacing("method=\"post\"", with: "method=\"get\"") }
        },
        .provider("authorization.form-post.encoding-is-urlencoded", "the form uses enctype multipart/form-data") {
            $0.onPage {
                $0.text = $0.text.replacing("method=\"post\"", with: "method=\"post\" enctype=\"multipart/form-data\"")
            }
        },
        .provider("authorization.form-post.page-is-html", "the form page has no Content-Type") {
            $0.onPage { $0.setHeader("Content-Type", nil) }
        },
        .provider("authorization.form-post.is-not-stored", "the form page has no Cache-Control: no-store") {
            $0.onPage { $0.setHeader("Cache-Control", "private, no-cache") }
        },
        .provider("authorization.form-post.sends-itself", "the form is not submitted by a script") {
            $0.onPage { answer in
                guard let start = answer.text.firstRange(of: "<script>"),
                    let end = answer.text.firstRange(of: "</script>")
                else {
                    return
                }
                answer.text.removeSubrange(start.lowerBound..<end.upperBound)
            }
        },
        .provider(
            "authorization.form-post.sends-itself",
            variant: "blocked-script",
            "the page's Content-Security-Policy blocks its script"
        ) {
            $0.onPage { $0.setHeader("Content-Security-Policy", "default-src 'self'; script-src 'self'") }
        },
        .provider(
            "authorization.form-post.sends-itself",
            variant: "blocked-form",
            "the page's Content-Security-Policy blocks the form submission to the client"
        ) {
            $0.onPage { $0.setHeader("Content-Security-Policy", "form-action 'self'") }
        },
        .provider("authorization.form-post.state-is-returned", "state in the form is percent-encoded") {
            $0.onPosted { $0["state"] = $0["state"].map(FormEncoding.encodeComponent) }
        },
        .provider(
            "authorization.form-post.error-is-posted",
            "errors are returned by redirect although form_post was requested"
        ) {
            $0.onError { if $0.mode == .formPost { $0.mode = .query } }
        },
    ]
}

extension Hooks {
    /// Changes successful responses with response_mode=form_post.
    fileprivate mutating func onPosted(_ change: @escaping @Sendable (inout AuthorizationResponse) -> Void) {
        onSuccess { if $0.mode == .formPost { change(&$0) } }
    }

    /// Changes the pages that post a response.
    fileprivate mutating func onPage(_ change: @escaping @Sendable (inout HTTPAnswer) -> Void) {
        onAnswer(.authorization, 200...200, change)
    }
}
