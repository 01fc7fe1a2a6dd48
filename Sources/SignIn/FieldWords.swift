/// The meaning of a form field, from its names and the words next to it, in the languages of providers' pages.
///
/// A password field without `type=password` is still recognised by its label, as a user would.
enum FieldWords {
    /// The kind of value that a text field requires.
    enum Meaning {
        case password
        /// A password that is about to be chosen, which the test user's is not to become.
        case chosenPassword
        case oneTimeCode
        case userName
        case unknown
    }

    /// The meaning of a text field: `autocomplete` decides, then its names, then its visible words.
    static func meaning(of field: HTMLControl) -> Meaning {
        let tokens = field.autocomplete.split { $0.isWhitespace }
        if tokens.contains("one-time-code") { return .oneTimeCode }
        if tokens.contains("new-password") { return .chosenPassword }
        if tokens.contains("current-password") { return .password }
        let names = [field.name, field.identifier].map(WordList.SplitText.init)
        let shown = [field.label, field.accessibleName, field.placeholder].map(WordList.SplitText.init)
        if names.contains(where: oneTimeCodes.isIn) || isSecondFactor(field) { return .oneTimeCode }
        if isCodeByShape(field) { return .oneTimeCode }
        let named = names.map(subject)
        // A user's field may be labelled "E-mail address or one-time code".
        if namesUser(field), named.allSatisfy({ $0 == .none }) { return .userName }
        if shown.contains(where: oneTimeCodes.isIn) { return .oneTimeCode }
        if named.contains(.chosen) { return .chosenPassword }
        if named.contains(.itself) { return .password }
        if named.contains(.aside) { return .unknown }
        let seen = shown.map(subject)
        if seen.contains(.chosen) { return .chosenPassword }
        return seen.contains(.itself) ? .password : .unknown
    }

    /// Whether a field of the password type is for a one-time code: none of its names says password.
    static func isOneTimeCode(_ field: HTMLControl) -> Bool {
        guard meaning(of: field) == .oneTimeCode else { return false }
        return field.type != "password" || ![field.name, field.identifier].contains(where: passwords.isIn)
    }

    /// The field of a form that takes a one-time code, if it has one.
    static func oneTimeCodeField(of form: HTMLForm) -> HTMLControl? {
        form.visibleFields.first { field in
            ["text", "tel", "number", "password"].contains(field.type) && !field.isDisabled && isOneTimeCode(field)
        }
            ?? codeBoxes(of: form).first
    }

    /// The boxes of a form that take a one-time code digit by digit; empty for a form without them.
    ///
    /// From six to eight fields of one character each are nothing else (RFC 6238: codes of six to eight digits).
    static func codeBoxes(of form: HTMLForm) -> [HTMLControl] {
        let boxes = form.visibleFields.filter { field in
            ["text", "tel", "number", "password"].contains(field.type) && field.maxLength == 1 && !field.isDisabled
                && !field.isReadOnly
        }
        return (6...8).contains(boxes.count) ? boxes : []
    }

    /// Whether the code of a field is sent by the provider, and not shown by an app.
    static func isSent(_ field: HTMLControl, on page: HTMLPage) -> Bool {
        let names = [field.name, field.identifier].map(WordList.SplitText.init)
        if names.contains(where: apps.isIn) { return false }
        let shown = [field.label, field.accessibleName, field.placeholder].map(WordList.SplitText.init)
        if (names + shown).contains(where: messages.isIn) { return true }
        let text = page.text.bounded(2000)
        return !apps.isIn(text, within: 2000) && sendings.isIn(text, within: 2000)
    }

    /// Whether a field has the shape of one for a code, six to eight digits, and says that it is: `code` alone is a name of
    /// many things.
    private static func isCodeByShape(_ field: HTMLControl) -> Bool {
        let isNumber =
            ["numeric", "decimal", "tel"].contains(field.inputMode) || ["tel", "number"].contains(field.type)
        let isShort = field.maxLength.map { (6...8).contains($0) } ?? false
        let pattern = field.pattern.filter { $0 != " " }
        let counts = ["{6}", "{6,6}", "{6,8}", "{7}", "{8}"].contains { pattern.hasSuffix($0) }
        let isDigits = ["[0-9]", "\\d"].contains { pattern.hasPrefix($0) }
        guard (isNumber || isDigits) && isShort || (isDigits && counts) else { return false }
        let texts = [field.name, field.identifier, field.label, field.accessibleName, field.placeholder]
            .map(WordList.SplitText.init)
        return texts.contains(where: codes.isIn) && !texts.contains(where: otherCodes.isIn)
    }

    private static func namesUser(_ field: HTMLControl) -> Bool {
        if field.type == "email" || ["username", "email"].contains(field.autocomplete) { return true }
        let hints = [field.name, field.identifier, field.autocomplete].map { $0.lowercased() }
        return ["user", "login", "email", "identifier", "account", "upn"]
            .contains { hint in
                hints.contains { $0.contains(hint) }
            }
    }

    /// The relation of a text to the password.
    private enum Subject {
        case itself
        /// A new one, or the same once more.
        case chosen
        /// Its hint, its recovery and similar.
        case aside
        case none
    }

    private static func subject(of text: WordList.SplitText) -> Subject {
        guard passwords.isIn(text) else { return .none }
        if asides.isIn(text) { return .aside }
        return choosing.isIn(text) ? .chosen : .itself
    }

    /// Whether a name is made with a digit, which is no letter of a word.
    private static func isSecondFactor(_ field: HTMLControl) -> Bool {
        [field.name, field.identifier].contains { $0.bounded(200).lowercased().contains("2fa") }
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
        words: "otp totp hotp mfa tan",
        parts: """
            onetime otpcode smscode smsotp emailotp twofactor verificationcode einmal monouso eenmalig verificatiecode jednorazow
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

    /// Words for an authenticator app.
    private static let apps = WordList(
        words: "totp authenticator authentifikator authentificateur autenticador autenticatore аутентификатор",
        parts: "authenticatorapp authenticationapp authentifizierungsapp verificatieapp 認証アプリ 身份验证器 인증앱",
        phrases: ["authentication app", "authenticator app", "verification app", "app d authentification"]
    )

    /// Words for a message with the code in it.
    private static let messages = WordList(
        words: "sms",
        parts: "smscode smsotp emailotp emailcode otpemail textmessage",
        phrases: ["text message", "e mail code", "email code", "code by email"]
    )

    /// Words that say that a code was sent.
    private static let sendings = WordList(
        words: "sms",
        parts: "短信 簡訊 문자 ショートメッセージ 已发送 送信しました",
        phrases: [
            "text message", "sent a code", "sent you", "sent to your", "have sent", "we sent", "was sent to", "emailed",
            "gesendet", "geschickt", "zugeschickt", "envoyé", "enviado", "enviamos", "inviato", "verzonden", "gestuurd",
            "wysłaliśmy", "wysłany", "отправили", "отправлен", "gönderildi", "gönderdik",
        ]
    )

    private static let codes = WordList(
        words: "code codes kode kod kód koodi código codigo codice codi cod код κωδικός mã",
        parts: "コード 코드 验证码 驗證碼 代码 代碼 رمز कोड sixdigit",
        phrases: ["digit code"]
    )

    /// Other things that are called a code.
    private static let otherCodes = WordList(
        words:
            "postal post postcode zip plz country area promo promotion voucher coupon gift invite invitation referral discount",
        parts: "postleitzahl zipcode postalcode countrycode promocode",
        phrases: ["code postal", "código postal", "codice postale"]
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

/// Words that identify the subject of a text.
struct WordList: Sendable {
    /// Such as stand alone, for as parts they are in too many others.
    private let words: Set<String>
    /// Such as may be part of a longer word, which is how names are made, and how languages without spaces are written.
    private let parts: [[UInt8]]
    private let phrases: [[UInt8]]

    init(words: String, parts: String, phrases: [String]) {
        self.words = Set(words.split { $0.isWhitespace }.map(String.init))
        self.parts = parts.split { $0.isWhitespace }.map { Array($0.utf8) }
        self.phrases = phrases.map { Array(" \($0) ".utf8) }
    }

    /// Whether one of them is in a text, or in a name such as `userPassWord` or `mot_de_passe`.
    func isIn(_ text: String) -> Bool { isIn(SplitText(text)) }

    /// The same for a text that may be longer than a name or a label.
    func isIn(_ text: String, within limit: Int) -> Bool { isIn(SplitText(text, limit)) }

    func isIn(_ text: SplitText) -> Bool {
        guard !text.words.isEmpty else { return false }
        return text.words.contains(where: words.contains) || phrases.contains(where: text.spaced.containsBytes)
            || parts.contains { text.spaced.containsBytes($0) || text.joined.containsBytes($0) }
    }

    /// A text and its words, split once for all lists.
    struct SplitText {
        let words: [String]
        /// The words with a space before and behind each.
        fileprivate let spaced: [UInt8]
        /// A name has no spaces, so its humps and underscores may part a word in two; empty for other texts.
        fileprivate let joined: [UInt8]

        init(_ text: String) { self.init(text, 200) }

        fileprivate init(_ text: String, _ limit: Int) {
            let text = text.bounded(limit)
            words = text.isEmpty ? [] : ButtonWords.words(in: text)
            spaced = words.isEmpty ? [] : Array((" " + words.joined(separator: " ") + " ").utf8)
            joined = words.count < 2 || text.contains(where: \.isWhitespace) ? [] : Array(words.joined().utf8)
        }
    }
}

extension [UInt8] {
    /// Whether the bytes contain these bytes in a row.
    fileprivate func containsBytes(_ part: [UInt8]) -> Bool {
        guard let first = part.first, count >= part.count else { return false }
        return withUnsafeBufferPointer { bytes in
            for start in 0...(bytes.count - part.count) where bytes[start] == first {
                if part.indices.allSatisfy({ bytes[start + $0] == part[$0] }) { return true }
            }
            return false
        }
    }
}
