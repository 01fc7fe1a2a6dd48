import Browsing

/// Pictures of the pages that a browser shows.
extension SignInSession {
    /// A picture of a page, where the page has no secret in its words.
    ///
    /// The page may go on while the picture is taken, so its words are looked at before and after.
    func picture(of page: HTMLPage, _ browser: BrowserSession) async -> [UInt8]? {
        guard !showsSecret(page), let picture = await browser.picture(), let later = await browser.look(marking: false)
        else { return nil }
        return showsSecret(HTMLReader.read(Array(later.html.utf8), charset: "UTF-8")) ? nil : picture
    }

    /// Whether password or code stand among what is shown beside the fields' contents, which no picture shows.
    private func showsSecret(_ page: HTMLPage) -> Bool {
        let controls = page.forms.flatMap(\.controls)
            .flatMap { [$0.label, $0.placeholder, $0.accessibleName] + ($0.isButton ? [$0.value] : []) }
        let words = ([page.title, page.text, page.textBesideNoScript] + page.alerts + controls).joined(separator: "\n")
        let octets = Array(words.utf8)
        return redaction.removingPassword(octets) != octets
    }
}
