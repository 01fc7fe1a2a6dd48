import Conformance

/// Faults of responses that are posted.
extension Fault {
    static let formPosts: [Fault] = [
        .provider("authorization.form-post.is-answered-by-a-form", "form_post is announced, and answers are redirects")
        {
            $0.onPosted { $0.mode = $0["id_token"] == nil && $0["access_token"] == nil ? .query : .fragment }
        },
        .provider("authorization.form-post.holds-what-was-asked", "the form has no code") {
            $0.onPosted { $0["code"] = nil }
        },
        .provider(
            "authorization.form-post.action-is-redirect-uri",
            "the form goes to an address below the redirect URI"
        ) {
            $0.onPosted { $0.redirectURI += "/form" }
        },
        .provider("authorization.form-post.method-is-post", "the form is sent by GET") {
            $0.onPage { $0.text = $0.text.replacing("method=\"post\"", with: "method=\"get\"") }
        },
        .provider("authorization.form-post.encoding-is-urlencoded", "the form is sent as multipart") {
            $0.onPage {
                $0.text = $0.text.replacing("method=\"post\"", with: "method=\"post\" enctype=\"multipart/form-data\"")
            }
        },
        .provider("authorization.form-post.page-is-html", "the page has no media type") {
            $0.onPage { $0.setHeader("Content-Type", nil) }
        },
        .provider("authorization.form-post.is-not-stored", "the page may be kept by the browser") {
            $0.onPage { $0.setHeader("Cache-Control", "private, no-cache") }
        },
        .provider("authorization.form-post.sends-itself", "the form waits for somebody to press its button") {
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
            "the policy of the page keeps its script from running"
        ) {
            $0.onPage { $0.setHeader("Content-Security-Policy", "default-src 'self'; script-src 'self'") }
        },
        .provider(
            "authorization.form-post.sends-itself",
            variant: "blocked-form",
            "the policy of the page keeps its form from the client"
        ) {
            $0.onPage { $0.setHeader("Content-Security-Policy", "form-action 'self'") }
        },
        .provider("authorization.form-post.state-is-returned", "state in the form is escaped as in an address") {
            $0.onPosted { $0["state"] = $0["state"].map(FormEncoding.encodeComponent) }
        },
        .provider("authorization.form-post.error-is-posted", "errors are redirects whatever was asked for") {
            $0.onError { if $0.mode == .formPost { $0.mode = .query } }
        },
    ]
}

extension Seams {
    /// Changes successful responses that are posted.
    fileprivate mutating func onPosted(_ change: @escaping @Sendable (inout AuthorizationResponse) -> Void) {
        onSuccess { if $0.mode == .formPost { change(&$0) } }
    }

    /// Changes the pages that post a response.
    fileprivate mutating func onPage(_ change: @escaping @Sendable (inout HTTPAnswer) -> Void) {
        onAnswer(.authorization, 200...200, change)
    }
}
