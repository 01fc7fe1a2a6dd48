/// What a page may want of a person that nobody here can give, and that no second attempt would change.
package enum PageDemand: Sendable, Hashable, CustomStringConvertible {
    case oneTimeCode
    case captcha
    /// Something was sent to the test user's mailbox, which is to be looked for there.
    case emailMessage
    case termsOfUse
    /// A passkey, or a security key.
    case passkey
    /// Nothing but buttons that lead to other identity providers.
    case otherProvider

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
        } else if let way = Self.otherWay(of: page) {
            self = way
        } else {
            return nil
        }
    }

    /// What a page without any field wants instead of a password; one that speaks of a password may have a form for it.
    private static func otherWay(of page: HTMLPage) -> PageDemand? {
        let text = page.text.bounded(2000).lowercased()
        guard page.forms.allSatisfy({ $0.visibleFields.isEmpty }), !text.contains("password") else { return nil }
        if passkeys.contains(where: text.contains) { return .passkey }
        let leads = ways.contains { way in providers.contains { text.contains("\(way) \($0)") } }
        return leads ? .otherProvider : nil
    }

    private static let passkeys = [
        "passkey", "security key", "webauthn", "touch id", "face id", "windows hello", "clé de sécurité",
        "sicherheitsschlüssel",
        "llave de seguridad", "chiave di sicurezza", "パスキー", "通行密钥",
    ]

    private static let ways = [
        "sign in with", "log in with", "login with", "continue with", "sign in using", "anmelden mit", "weiter mit",
        "se connecter avec", "continuer avec", "iniciar sesión con", "continuar con", "accedi con", "continua con",
        "entrar com", "inloggen met", "zaloguj się przez",
    ]

    private static let providers = [
        "google", "microsoft", "facebook", "apple", "github", "gitlab", "twitter", "linkedin", "okta", "yahoo",
        "amazon",
        "sso", "saml",
    ]

    package var description: String {
        switch self {
        case .oneTimeCode: "a one-time code, a second factor: sign in as a test user who has none"
        case .captcha: "a CAPTCHA, which only a person can solve: have it switched off for the test user"
        case .emailMessage:
            "a look into the test user's e-mail: confirm the address once by hand, or sign in as a user with a password"
        case .termsOfUse: "consent to its terms of use: accept them once by hand, as the test user"
        case .passkey: "a passkey or a security key, which no program has: sign in as a test user with a password"
        case .otherProvider:
            "a sign-in at another identity provider: press its button in a step and name its host in sign_in.hosts, or "
                + "sign in as a test user who has a password here"
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
