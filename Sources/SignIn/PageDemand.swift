/// What a page may want of a person that nobody here can give, and that no second attempt would change.
package enum PageDemand: Sendable, Hashable, CustomStringConvertible {
    /// A second factor whose secret nobody here has.
    case oneTimeCode
    /// A code that was sent to the test user's telephone or mailbox.
    case sentCode
    case captcha
    /// A wall against programs, which has a browser prove itself.
    case botWall
    /// The page refuses this browser for what it calls itself.
    case blockedAgent
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
        } else if let field = page.forms.firstResult(FieldWords.oneTimeCodeField) {
            self = FieldWords.isSent(field, on: page) ? .sentCode : .oneTimeCode
        } else if page.forms.contains(where: Self.asksForTerms) {
            self = .termsOfUse
        } else {
            return nil
        }
    }

    /// What a page demands at which there is nothing to fill: then its words count as well, of an error page those alone
    /// that are about the browser.
    init?(of page: HTMLPage, isErrorPage: Bool = false, isOfBotWall: Bool = false) {
        if let demand = PageDemand(inFormsOf: page) {
            self = demand
        } else if let demand = Self.aboutBrowser(page, isOfBotWall) {
            self = demand
        } else if isErrorPage {
            return nil
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

    /// What a page says of the browser in the place of letting it in.
    private static func aboutBrowser(_ page: HTMLPage, _ isOfBotWall: Bool) -> PageDemand? {
        if isOfBotWall || page.isOfBotWall { return .botWall }
        guard page.forms.allSatisfy({ $0.visibleFields.isEmpty }) else { return nil }
        let text = (page.title.bounded(200) + " " + page.text.bounded(2000)).lowercased().replacing("’", with: "'")
        if agentPhrases.contains(where: text.contains) { return .blockedAgent }
        // What a content delivery network says of a request that it takes for a program's.
        let isRefused = text.contains("access denied") && (text.contains("reference #") || text.contains("ray id"))
        return isRefused || wallPhrases.contains(where: text.contains) ? .botWall : nil
    }

    private static let wallPhrases = [
        "just a moment...", "attention required! | cloudflare", "checking your browser before", "verify you are human",
        "verifying you are human", "you are not a robot", "you're not a robot", "are you a robot",
        "pardon our interruption",
        "incapsula incident", "unusual traffic", "automated requests", "enable javascript and cookies to continue",
        "access to this page has been denied",
    ]

    private static let agentPhrases = [
        "disallowed_useragent", "use secure browsers", "browser or app may not be secure", "unsupported browser",
        "browser is not supported", "browser isn't supported", "browser is no longer supported",
        "browser not supported",
        "browser that is supported", "outdated browser", "browser is out of date", "browser wird nicht unterstützt",
        "navigateur n'est pas pris en charge", "navegador no es compatible", "browser non è supportato",
        "navegador não é compatível", "browser wordt niet ondersteund", "przeglądarka nie jest obsługiwana",
    ]

    /// What a page without any field wants instead of a password; one that speaks of a password may have a form for it.
    private static func otherWay(of page: HTMLPage) -> PageDemand? {
        let text = page.text.bounded(2000).lowercased()
        guard page.forms.allSatisfy({ $0.visibleFields.isEmpty }), !text.contains("password") else { return nil }
        if passkeys.contains(where: text.contains) { return .passkey }
        let leads = ways.contains { way in providers.contains { text.contains("\(way) \($0)") } }
        return leads ? .otherProvider : nil
    }

    static func speaksOfPasskey(_ words: String) -> Bool {
        let words = words.bounded(200).lowercased()
        return passkeys.contains(where: words.contains)
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

    package var description: String { "\(whatIsAsked): \(nextStep)" }

    /// What the page asks for.
    package var whatIsAsked: String {
        switch self {
        case .oneTimeCode: "a one-time code, a second factor"
        case .sentCode: "a code that it sends by text message or e-mail, which no program receives"
        case .captcha: "a CAPTCHA, which only a person can solve"
        case .botWall: "a proof that no program is at work, at a wall against bots"
        case .blockedAgent: "another browser, since it refuses this one by its name"
        case .emailMessage: "a look into the test user's e-mail"
        case .termsOfUse: "consent to its terms of use"
        case .passkey: "a passkey or a security key"
        case .otherProvider: "a sign-in at another identity provider"
        }
    }

    /// What to do about it.
    package var nextStep: String {
        switch self {
        case .oneTimeCode:
            "give the secret of its authenticator app in sign_in.totp, or sign in as a test user who has no second factor"
        case .sentCode:
            "give the test user an authenticator app in its place (sign_in.totp), or sign in as one without a second factor"
        case .captcha: "have it switched off for the test user"
        case .botWall: "have this machine's address, or the User-Agent oidc-preflight, let through the wall"
        case .blockedAgent: "have the provider let in the User-Agent oidc-preflight"
        case .emailMessage: "confirm the address once by hand, or sign in as a user with a password"
        case .termsOfUse: "accept them once by hand, as the test user"
        case .passkey:
            "give its credential in sign_in.passkey, which takes Chromium, or sign in as a test user with a password"
        case .otherProvider:
            "press its button in a step and name its host in sign_in.hosts, or sign in as a test user who has a password here"
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
