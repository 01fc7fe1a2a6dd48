/// What a page may want of a person that nobody here can give, and that no second attempt would change.
package enum PageDemand: Sendable, Hashable, CustomStringConvertible {
    case oneTimeCode
    case captcha
    /// Something was sent to the test user's mailbox, which is to be looked for there.
    case emailMessage
    case termsOfUse

    /// What a page demands, as its fields and widgets tell.
    init?(inFormsOf page: HTMLPage) {
        guard page.isForPeople else { return nil }
        if page.hasCaptcha || page.forms.contains(where: Self.hasCaptcha) {
            self = .captcha
        } else if page.forms.contains(where: Self.asksForOneTimeCode) {
            self = .oneTimeCode
        } else if page.forms.contains(where: Self.asksForTerms) {
            self = .termsOfUse
        } else {
            return nil
        }
    }

    /// What a page demands at which there is nothing to fill: then its words count as well.
    init?(of page: HTMLPage) {
        if let demand = PageDemand(inFormsOf: page) {
            self = demand
        } else if Self.terms.isIn(page.title) {
            self = .termsOfUse
        } else if Self.emailPhrases.contains(where: { page.text.bounded(2000).lowercased().contains($0) }) {
            self = .emailMessage
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .oneTimeCode: "a one-time code, a second factor: sign in as a test user who has none"
        case .captcha: "a CAPTCHA, which only a person can solve: have it switched off for the test user"
        case .emailMessage:
            "a look into the test user's e-mail: confirm the address once by hand, or sign in as a user with a password"
        case .termsOfUse: "consent to its terms of use: accept them once by hand, as the test user"
        }
    }

    private static func asksForOneTimeCode(_ form: HTMLForm) -> Bool {
        form.visibleFields.contains { field in
            ["text", "tel", "number", "password"].contains(field.type) && FieldWords.isOneTimeCode(field)
        }
    }

    private static func hasCaptcha(_ form: HTMLForm) -> Bool {
        form.controls.contains { control in
            let names = [control.name, control.identifier] + (control.isButton ? [] : [control.label])
            return names.contains { $0.bounded(200).lowercased().contains("captcha") }
                || control.name == "cf-turnstile-response"
        }
    }

    private static func asksForTerms(_ form: HTMLForm) -> Bool {
        form.visibleFields.contains { field in
            field.type == "checkbox" && [field.name, field.identifier, field.label].contains(where: terms.isIn)
        }
    }

    private static let terms = WordList(
        words: "tos tou eula agb regulamin",
        parts:
            "termsofuse termsofservice termsandconditions nutzungsbedingungen gebruiksvoorwaarden 利用規約 服务条款 服務條款 이용약관",
        phrases: [
            "terms", "conditions d utilisation", "conditions générales", "términos", "condizioni d uso",
            "termini di servizio", "termos de uso", "termos de serviço", "algemene voorwaarden", "warunki korzystania",
            "условия использования", "пользовательское соглашение", "kullanım koşulları", "شروط الاستخدام",
        ]
    )

    private static let emailPhrases = [
        "check your email", "check your e-mail", "check your inbox", "check your mail", "verify your email",
        "verify your e-mail", "confirm your email", "confirm your e-mail", "sent you an email", "sent you an e-mail",
        "sent an email", "sent an e-mail", "emailed you", "link to sign in", "magic link",
        "prüfen sie ihre e-mail", "überprüfen sie ihre e-mail", "bestätigen sie ihre e-mail", "e-mail gesendet",
        "vérifiez votre adresse", "vérifiez votre boîte", "consultez votre boîte", "confirmez votre adresse",
        "revisa tu correo", "verifica tu correo", "confirma tu correo", "revise su correo", "verifique su correo",
        "controlla la tua email", "controlla la posta", "verifica il tuo indirizzo", "verifica la tua email",
        "verifique seu e-mail", "verifique o seu e-mail", "confirme seu e-mail", "confirme o seu e-mail",
        "controleer je e-mail", "controleer uw e-mail", "bevestig je e-mail", "sprawdź swoją pocztę",
        "sprawdź skrzynkę", "potwierdź adres", "проверьте почту", "подтвердите адрес", "查看您的邮箱", "检查您的邮箱",
        "验证您的电子邮件", "メールを確認", "メールアドレスを確認", "이메일을 확인", "تحقق من بريدك", "e-postanızı kontrol",
    ]
}
