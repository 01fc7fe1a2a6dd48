/// A requirement of a page that this program cannot meet, and that a retry would not change.
package enum PageDemand: Sendable, Hashable, CustomStringConvertible {
    /// A second factor whose secret is not configured.
    case oneTimeCode
    /// A code that was sent to the test user's telephone or mailbox.
    case sentCode
    case captcha
    /// A bot check, which makes the browser prove itself.
    case botWall
    /// The page rejects this browser because of its User-Agent.
    case blockedAgent
    /// The user has to follow a message that was sent to the test user's mailbox.
    case emailMessage
    case termsOfUse
    /// A passkey, or a security key.
    case passkey
    /// Only buttons that lead to other identity providers.
    case otherProvider

    /// What the fields and widgets of a page demand.
    init?(inFormsOf page: HTMLPage) {
        guard page.isForUsers else { return nil }
        if page.hasCaptcha || page.forms.contains(where: Self.hasCaptcha) {
            self = .captcha
        } else if let field = page.forms.firstResult(FieldWords.oneTimeCodeField) {
            self = FieldWords.isSent(field, on: page) ? .sentCode : .oneTimeCode
        } else if page.forms.contains(where: Self.requestsTerms) {
            self = .termsOfUse
        } else {
            return nil
        }
    }

    /// The demand of a page without fields to fill.
    ///
    /// Its text counts as well; on an error page, only text about the browser counts.
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

    /// What a page says about the browser instead of showing a sign-in.
    private static func aboutBrowser(_ page: HTMLPage, _ isOfBotWall: Bool) -> PageDemand? {
        if isOfBotWall || page.isOfBotWall { return .botWall }
        guard page.forms.allSatisfy({ $0.visibleFields.isEmpty }) else { return nil }
        let text = (page.title.bounded(200) + " " + page.text.bounded(2000)).lowercased().replacing("’", with: "'")
        if agentPhrases.contains(where: text.contains) { return .blockedAgent }
        // The words of a content delivery network that treats a request as automated.
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

    /// What a page without any field wants instead of a password; if it mentions a password, it may have a form for it.
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

    /// What the page requires.
    var whatIsAsked: String {
        switch self {
        case .oneTimeCode: "a one-time code (second factor)"
        case .sentCode: "a code sent by text message or e-mail, which this program cannot receive"
        case .captcha: "a CAPTCHA, which cannot be automated"
        case .botWall: "a bot check, which blocks automated clients"
        case .blockedAgent: "another browser, since it rejects this User-Agent"
        case .emailMessage: "a confirmation by e-mail"
        case .termsOfUse: "acceptance of its terms of use"
        case .passkey: "a passkey or a security key"
        case .otherProvider: "a sign-in at another identity provider"
        }
    }

    /// What to do about it.
    var nextStep: String {
        switch self {
        case .oneTimeCode:
            "set sign_in.totp to the secret of the authenticator app, or use a test user without a second factor"
        case .sentCode:
            "give the test user an authenticator app instead (sign_in.totp), or use a test user without a second factor"
        case .captcha: "disable the CAPTCHA for the test user, or sign in by hand with --driver manual"
        case .botWall:
            "let the bot protection allow this machine's address or the User-Agent oidc-preflight, or sign in by hand with "
                + "--driver manual"
        case .blockedAgent: "let the provider allow the User-Agent oidc-preflight"
        case .emailMessage: "confirm the address once by hand, or use a test user with a password"
        case .termsOfUse: "accept them once by hand as the test user"
        case .passkey:
            "set sign_in.passkey to its credential (needs Chromium), or use a test user with a password"
        case .otherProvider:
            "press its button in a step and add its host to sign_in.hosts, or use a test user with a password here"
        }
    }

    private static func hasCaptcha(_ form: HTMLForm) -> Bool {
        form.controls.contains { control in
            let names = [control.name, control.identifier] + (control.isButton ? [] : [control.label])
            return names.contains { $0.bounded(200).lowercased().contains("captcha") }
                || control.name == "cf-turnstile-response"
        }
    }

    private static func requestsTerms(_ form: HTMLForm) -> Bool {
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
