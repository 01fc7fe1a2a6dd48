import Browsing

/// Screenshots of the pages that a browser shows.
extension SignInSession {
    /// A screenshot of a page, if the visible text contains no secret.
    ///
    /// The page may change while the screenshot is made, so its text is checked before and after.
    func screenshot(of page: HTMLPage, _ browser: BrowserSession) async -> [UInt8]? {
        guard !showsSecret(page), let screenshot = await browser.screenshot(),
            let later = await browser.look(marking: false)
        else { return nil }
        return showsSecret(HTMLReader.read(Array(later.html.utf8), charset: "UTF-8")) ? nil : screenshot
    }

    /// Whether the visible text contains the password or code; screenshots never show field contents.
    private func showsSecret(_ page: HTMLPage) -> Bool {
        let controls = page.forms.flatMap(\.controls)
            .flatMap { [$0.label, $0.placeholder, $0.accessibleName] + ($0.isButton ? [$0.value] : []) }
        let words = ([page.title, page.text, page.textBesideNoScript] + page.alerts + controls).joined(separator: "\n")
        let bytes = Array(words.utf8)
        return redaction.removingPassword(bytes) != bytes
    }
}
