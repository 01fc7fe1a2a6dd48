import Testing
import Transport

@testable import SignIn

/// Pages of every kind that a sign-in meets, in many languages, without any configuration.
@Suite(.timeLimit(.minutes(5))) struct LanguageTests {
    /// The words of a language as providers' pages have them.
    struct Language: Sendable, CustomTestStringConvertible {
        var name: String
        /// The label of the password field, and the button behind it.
        var password: String
        var signIn: String
        var next: String
        var allow: String
        var deny: String
        var yes: String
        var no: String
        /// The button that ends the session, which nothing presses.
        var signOut: String
        var testDescription: String { name }
    }

    static let languages = [
        Language(
            name: "English",
            password: "Password",
            signIn: "Sign in",
            next: "Next",
            allow: "Allow",
            deny: "Deny",
            yes: "Yes",
            no: "No",
            signOut: "Sign out"
        ),
        Language(
            name: "Chinese",
            password: "密码",
            signIn: "登录",
            next: "下一步",
            allow: "同意",
            deny: "不同意",
            yes: "是",
            no: "否",
            signOut: "退出登录"
        ),
        Language(
            name: "Chinese, traditional",
            password: "密碼",
            signIn: "登入",
            next: "下一步",
            allow: "允許",
            deny: "取消",
            yes: "是",
            no: "否",
            signOut: "登出"
        ),
        Language(
            name: "Hindi",
            password: "पासवर्ड",
            signIn: "साइन इन करें",
            next: "आगे बढ़ें",
            allow: "अनुमति दें",
            deny: "अस्वीकार करें",
            yes: "हाँ",
            no: "नहीं",
            signOut: "साइन आउट"
        ),
        Language(
            name: "Spanish",
            password: "Contraseña",
            signIn: "Iniciar sesión",
            next: "Siguiente",
            allow: "Permitir",
            deny: "Rechazar",
            yes: "Sí",
            no: "No",
            signOut: "Cerrar sesión"
        ),
        Language(
            name: "Arabic",
            password: "كلمة المرور",
            signIn: "تسجيل الدخول",
            next: "التالي",
            allow: "السماح",
            deny: "رفض",
            yes: "نعم",
            no: "لا",
            signOut: "تسجيل الخروج"
        ),
        Language(
            name: "French",
            password: "Mot de passe",
            signIn: "Connexion",
            next: "Suivant",
            allow: "Autoriser",
            deny: "Refuser",
            yes: "Oui",
            no: "Non",
            signOut: "Déconnexion"
        ),
        Language(
            name: "Portuguese",
            password: "Senha",
            signIn: "Entrar",
            next: "Avançar",
            allow: "Permitir",
            deny: "Negar",
            yes: "Sim",
            no: "Não",
            signOut: "Sair"
        ),
        Language(
            name: "Russian",
            password: "Пароль",
            signIn: "Войти",
            next: "Далее",
            allow: "Разрешить",
            deny: "Отклонить",
            yes: "Да",
            no: "Нет",
            signOut: "Выйти"
        ),
        Language(
            name: "Japanese",
            password: "パスワード",
            signIn: "ログイン",
            next: "次へ",
            allow: "許可する",
            deny: "許可しない",
            yes: "はい",
            no: "いいえ",
            signOut: "ログアウト"
        ),
        Language(
            name: "German",
            password: "Passwort",
            signIn: "Anmelden",
            next: "Weiter",
            allow: "Zulassen",
            deny: "Ablehnen",
            yes: "Ja",
            no: "Nein",
            signOut: "Abmelden"
        ),
        Language(
            name: "Korean",
            password: "비밀번호",
            signIn: "로그인",
            next: "다음",
            allow: "동의",
            deny: "동의하지 않음",
            yes: "예",
            no: "아니요",
            signOut: "로그아웃"
        ),
        Language(
            name: "Turkish",
            password: "Şifre",
            signIn: "Oturum aç",
            next: "İleri",
            allow: "İzin ver",
            deny: "İzin verme",
            yes: "Evet",
            no: "Hayır",
            signOut: "Çıkış yap"
        ),
        Language(
            name: "Italian",
            password: "Password",
            signIn: "Accedi",
            next: "Avanti",
            allow: "Consenti",
            deny: "Nega",
            yes: "Sì",
            no: "No",
            signOut: "Esci"
        ),
        Language(
            name: "Dutch",
            password: "Wachtwoord",
            signIn: "Inloggen",
            next: "Volgende",
            allow: "Toestaan",
            deny: "Weigeren",
            yes: "Ja",
            no: "Nee",
            signOut: "Uitloggen"
        ),
        Language(
            name: "Polish",
            password: "Hasło",
            signIn: "Zaloguj się",
            next: "Dalej",
            allow: "Zezwól",
            deny: "Odmów",
            yes: "Tak",
            no: "Nie",
            signOut: "Wyloguj się"
        ),
    ]

    private static func filling(_ html: String, scopes: [String] = [], codes: OneTimeCodes? = nil) -> FormFilling? {
        let instructions = SignInInstructions(username: "alice", password: Credential("s3cret"), codes: codes)
        return FormRecognition(instructions: instructions)
            .filling(for: HTMLReader.read(Array(html.utf8), charset: "UTF-8"), scopes: scopes)
    }

    /// The other forms of a page: a choice of the language, and a search.
    private static func page(_ content: String) -> String {
        """
        <form action=/lang><select name=lang><option>en<option>de</select><button>OK</button></form>
        <form action=/search><input name=q type=search><button>Go</button></form>
        \(content)
        """
    }

    @Test(arguments: languages) func `the password is written, and the button of the sign-in pressed`(
        language: Language
    ) {
        let filling = Self.filling(
            Self.page(
                """
                <form method=post action=/in><label>E <input name=f1></label>
                <label>\(language.password) <input name=f2></label>
                <button name=b value=other>\(language.deny)</button><button name=b value=in>\(language.signIn)</button></form>
                """
            )
        )
        #expect(filling?.cause == .signIn)
        #expect(filling?.pressed == "b=in")
        #expect(filling?.parameters.serialized == "f1=alice&f2=s3cret&b=in")
    }

    @Test(arguments: languages) func `a name alone goes on`(language: Language) {
        let filling = Self.filling(
            Self.page(
                """
                <form method=post action=/in><input name=login>
                <button name=b value=no>\(language.no)</button><button name=b value=next>\(language.next)</button></form>
                """
            )
        )
        #expect(filling?.cause == .userName)
        #expect(filling?.pressed == "b=next")
    }

    @Test(arguments: languages) func `consent is given, and nothing is refused or ended`(language: Language) {
        let content = { (buttons: String) in
            Self.page(
                """
                <form method=post action=/out><input type=hidden name=t value=1><button name=o>\(language.signOut)</button></form>
                <form method=post action=/ok><input type=hidden name=t value=1>\(buttons)</form>
                """
            )
        }
        let deny = "<button name=a value=0>\(language.deny)</button>"
        let allow = "<button name=a value=1>\(language.allow)</button>"
        for buttons in [deny + allow, allow + deny] {
            let filling = Self.filling(content(buttons))
            #expect(filling?.cause == .consent)
            #expect(filling?.pressed == "a=1")
        }
        #expect(Self.filling(content(deny)) == nil)
    }

    @Test(arguments: languages) func `the run answers yes to stay signed in`(language: Language) {
        let filling = Self.filling(
            Self.page(
                """
                <form method=post action=/kmsi><input type=hidden name=t value=1>
                <button name=k value=0>\(language.no)</button><button name=k value=1>\(language.yes)</button></form>
                """
            )
        )
        #expect(filling?.pressed == "k=1")
    }

    @Test(arguments: languages) func `of several accounts or subjects the test user's is chosen`(language: Language) {
        let buttons = Self.filling(
            Self.page(
                """
                <form method=post action=/a><button name=u value=1>Bob (bob)</button><button name=u value=2>Alice (alice)</button>
                <button name=u value=0>\(language.no)</button></form>
                """
            )
        )
        #expect(buttons?.cause == .account)
        #expect(buttons?.pressed == "u=2")
        let boxes = Self.filling(
            Self.page(
                """
                <form method=post action=/a><label><input type=radio name=subject value=7 checked> Bob &lt;bob&gt;</label>
                <label><input type=radio name=subject value=8> Alice &lt;alice&gt;</label>
                <button name=b value=0>\(language.deny)</button><button name=b value=1>\(language.next)</button></form>
                """
            )
        )
        #expect(boxes?.cause == .account)
        #expect(boxes?.parameters.serialized == "subject=8&b=1")
    }

    @Test(arguments: [
        ("Upgrade session", true), ("Continue", true), ("Update session", true), ("Upgrade to premium", false),
        ("Buy", false),
    ])
    func `a page with one button goes on where its words say so`(words: String, proceeds: Bool) {
        let html = "<form method=post><input type=hidden name=t value=1><button name=b value=1>\(words)</button></form>"
        #expect((Self.filling(Self.page(html)) != nil) == proceeds)
    }

    @Test func `a language is not chosen, and nothing is searched for`() {
        #expect(Self.filling(Self.page("<p>Nothing to do here.</p>")) == nil)
    }

    @Test(arguments: [
        // Names of their own, one name for all, and boxes that a script joins.
        (
            (1...6).map { "<input name=d\($0) maxlength=1 inputmode=numeric>" }.joined(),
            "d1=1&d2=0&d3=0&d4=1&d5=0&d6=1"
        ),
        (
            String(repeating: "<input name=digit type=tel maxlength=1>", count: 6),
            "digit=1&digit=0&digit=0&digit=1&digit=0&digit=1"
        ),
        ("<input type=hidden name=otp value=''>" + String(repeating: "<input maxlength=1>", count: 6), "otp=100101"),
    ])
    func `six boxes take a code digit by digit`(boxes: String, sent: String) async throws {
        let html = "<p>Open your authenticator app.<form method=post>\(boxes)<button>Verify</button></form>"
        let codes = OneTimeCodesTests.Clock(3_000).codes(period: 30) { Credential("\(100_000 + $0)") }
        let filling = try #require(Self.filling(html, codes: codes))
        #expect(filling.cause == .oneTimeCode && filling.carriesCode && !filling.carriesPassword)
        let instructions = SignInInstructions(username: "alice", password: Credential("s3cret"), codes: codes)
        let completed = FormRecognition(instructions: instructions).completed(filling, with: Credential("100101"))
        #expect(completed.parameters.serialized == sent)
        let names = Set(completed.filledNames)
        #expect(names.isSubset(of: completed.secretFields))
        // Without the secret the report says what is required.
        #expect(PageDemand(of: HTMLReader.read(Array(html.utf8))) == .oneTimeCode)
        #expect(Self.filling(html) == nil)
    }

    @Test(arguments: [
        "<form>" + String(repeating: "<input name=x maxlength=1>", count: 5) + "</form>",
        "<form>" + String(repeating: "<input name=x maxlength=1>", count: 9) + "</form>",
        "<form>" + String(repeating: "<input name=x maxlength=1 readonly>", count: 6) + "</form>",
    ])
    func `other boxes are no code`(html: String) {
        let codes = OneTimeCodesTests.Clock(3_000).codes(period: 30) { Credential("\($0)") }
        #expect(Self.filling(html, codes: codes) == nil)
    }
}
