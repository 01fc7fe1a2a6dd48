/// Choices that are made by links.
extension FormRecognition {
    /// A choice among accounts that are links: the link with the test user's name, treated as a form with one button.
    func linkedAccount(on page: HTMLPage) -> FormFilling? {
        let name = instructions.username.lowercased()
        guard !name.isEmpty, !page.links.isEmpty, !page.showsError, !page.forms.contains(where: Self.requestsText),
            Self.accounts.isIn(page.title + " " + page.text.prefix(1_000), within: 1_000)
        else { return nil }
        let own = page.links.filter { link in
            link.words.lowercased().split { $0.isWhitespace || "()<>,".contains($0) }.contains { $0 == name }
        }
        // One account may have an image and a name, each with a link to the same target.
        guard let link = own.first, own.allSatisfy({ $0.reference == link.reference }),
            ButtonWords.meaning(of: link.words) != .cancels, !ButtonWords.speaksOfSignOut(link.words),
            !ButtonWords.speaksOfOtherEffect(link.words)
        else { return nil }
        let form = link.form
        var filling = FormFilling(form, as: .account)
        filling.press(form.submitButtons.first)
        return filling
    }

    private static func requestsText(_ form: HTMLForm) -> Bool {
        form.visibleFields.contains { !["checkbox", "radio", "select"].contains($0.type) }
    }

    /// Words for accounts, in the languages that providers' pages come in.
    private static let accounts = WordList(
        words: """
            account accounts konto konten compte comptes cuenta cuentas conta contas utente rachunek konta accounts аккаунт
            аккаунты аккаунта hesap hesabı cont účet
            """,
        parts: "アカウント 账号 账户 帳號 帳戶 계정 حساب",
        phrases: ["учетную запись", "учётную запись"]
    )
}
