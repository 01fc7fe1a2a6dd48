/// What a field of a form asks for, by its names and the words at it, in the languages that providers' pages come in.
///
/// A page without `type=password` is still one that a person fills without thinking: they read the label.
enum FieldWords {
    /// What is to be written into a text field.
    enum Meaning {
        case password
        /// A password that is about to be chosen, which the test user's is not to become.
        case chosenPassword
        case oneTimeCode
        case userName
        case unknown
    }

    /// What a text field asks for: `autocomplete` decides, then its names, then what a person sees at it.
    static func meaning(of field: HTMLControl) -> Meaning {
        let tokens = field.autocomplete.split { $0.isWhitespace }
        if tokens.contains("one-time-code") { return .oneTimeCode }
        if tokens.contains("new-password") { return .chosenPassword }
        if tokens.contains("current-password") { return .password }
        let names = [field.name, field.identifier]
        let shown = [field.label, field.accessibleName, field.placeholder]
        if (names + shown).contains(where: speaksOfOneTimeCode) { return .oneTimeCode }
        let named = names.map(subject)
        if named.contains(.chosen) { return .chosenPassword }
        if named.contains(.itself) { return .password }
        if namesUser(field) { return .userName }
        if named.contains(.aside) { return .unknown }
        let seen = shown.map(subject)
        if seen.contains(.chosen) { return .chosenPassword }
        return seen.contains(.itself) ? .password : .unknown
    }

    private static func namesUser(_ field: HTMLControl) -> Bool {
        if field.type == "email" || ["username", "email"].contains(field.autocomplete) { return true }
        let hints = [field.name, field.identifier, field.autocomplete].map { $0.lowercased() }
        return ["user", "login", "email", "identifier", "account", "upn"]
            .contains { hint in
                hints.contains { $0.contains(hint) }
            }
    }

    /// What a text has to do with the password.
    private enum Subject {
        case itself
        /// A new one, or the same once more.
        case chosen
        /// Its hint, its recovery and the like.
        case aside
        case none
    }

    private static func subject(of text: String) -> Subject {
        guard passwords.isIn(text) else { return .none }
        if asides.isIn(text) { return .aside }
        return choosing.isIn(text) ? .chosen : .itself
    }

    private static func speaksOfOneTimeCode(_ text: String) -> Bool {
        oneTimeCodes.isIn(text) || text.lowercased().contains("2fa")
    }

    private static let passwords = WordList(
        words: "pass pwd psw pw mdp clave",
        parts: """
            password passwd passwort kennwort passphrase motdepasse contraseña contrasena senha palavrapasse hasło haslo
            wachtwoord пароль 密码 密碼 パスワード 비밀번호 암호 पासवर्ड पासवर्ड পাসওয়ার্ড şifre parola sandi
            """,
        phrases: ["mot de passe", "palavra passe", "كلمة المرور", "كلمة السر", "mật khẩu"]
    )

    private static let oneTimeCodes = WordList(
        words: "otp totp hotp mfa tan smscode",
        parts: """
            onetime otpcode smsotp emailotp twofactor verificationcode einmal monouso eenmalig verificatiecode jednorazow
            sicherheitscode bestätigungscode одноразов 验证码 驗證碼 一次性 ワンタイム 認証コード 確認コード 일회용 인증번호 ओटीपी
            """,
        phrases: [
            "one time", "single use", "two factor", "second factor", "verification code", "security code",
            "authentication code", "authenticator code", "login code", "sign in code", "usage unique",
            "code de vérification", "code de sécurité", "un solo uso", "código de verificación", "código de seguridad",
            "codice di verifica", "código de verificação", "uso único", "kod weryfikacyjny", "код подтверждения",
            "인증 코드", "رمز التحقق", "सत्यापन कोड", "tek kullanımlık", "doğrulama kodu",
        ]
    )

    private static let choosing = WordList(
        words: """
            new confirm confirmation repeat repeated retype again verify change create choose
            neu neue neues neuen wiederholen bestätigen nouveau confirmer répéter nueva nuevo confirmar repetir nova novo
            nuova conferma ripeti nieuw nieuwe herhaal bevestig nowe powtórz potwierdź новый повторите подтвердите yeni
            """,
        parts: "新密码 新密碼 确认 確認 新しい 새 확인",
        phrases: []
    )

    private static let asides = WordList(
        words: """
            hint question answer reminder forgot forgotten reset recover recovery lost show hide strength policy
            hinweis merkhilfe vergessen zurücksetzen anzeigen oublié indice réinitialiser afficher olvidado olvidaste
            olvidó pista restablecer mostrar esqueceu esqueci dica redefinir dimenticata suggerimento reimposta mostra
            vergeten toon zapomniałem zapomniałeś podpowiedź pokaż забыли подсказка сброс نسيت unuttum ipucu
            """,
        parts: "passwordless passwortlos 忘记 忘記 提示 重置 忘れ ヒント 再設定 잊 힌트 재설정 भूल",
        phrases: ["nie pamiętasz"]
    )
}

/// Words by which a text is known.
struct WordList: Sendable {
    /// Such as stand alone, for as parts they are in too many others.
    private let words: Set<String>
    /// Such as may be part of a longer word, which is how names are made, and how languages without spaces are written.
    private let parts: [String]
    private let phrases: [String]

    init(words: String, parts: String, phrases: [String]) {
        self.words = Set(words.split { $0.isWhitespace }.map(String.init))
        self.parts = parts.split { $0.isWhitespace }.map(String.init)
        self.phrases = phrases
    }

    /// Whether one of them is in a text, or in a name such as `userPassWord` or `mot_de_passe`.
    func isIn(_ text: String) -> Bool {
        let text = text.bounded(200)
        var found = ButtonWords.words(in: text)
        if found.contains(where: words.contains) { return true }
        let joined = " " + found.joined(separator: " ") + " "
        if phrases.contains(where: { joined.contains(" \($0) ") }) { return true }
        // A name has no spaces: its humps and underscores may part a word in two.
        if !text.contains(where: \.isWhitespace) { found.append(found.joined()) }
        return found.contains { word in parts.contains { word.contains($0) } }
    }
}
