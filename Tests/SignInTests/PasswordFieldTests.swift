import Testing
import Transport

@testable import SignIn

/// Fields for the password though their type does not say so; no network.
@Suite(.timeLimit(.minutes(5))) struct PasswordFieldTests {
    /// The action at a page: `nil` for none, else the cause and the values sent.
    private func sent(_ fields: String) -> String? {
        let html = "<form method=post>\(fields)<button>Sign in</button></form>"
        let recognition = FormRecognition(
            instructions: SignInInstructions(username: "alice", password: Credential("s3cret"))
        )
        guard let filling = recognition.filling(for: HTMLReader.read(Array(html.utf8))) else { return nil }
        return "\(filling.cause) \(filling.parameters.serialized)"
    }

    @Test(arguments: [
        "<label for=password>Password</label><input type=text id=password name=password>",
        "<input name=j_password>", "<input name=userPassWord>", "<input name=loginpassword>", "<input name=passwd>",
        "<input name=pwd>", "<input name=f2 id=pass>", "<input name=login_password>",
        "<input name=f2 autocomplete=current-password>", "<input name=f2 autocomplete='section-a current-password'>",
        "<input name=f2 aria-label=Password>", "<input name=f2 placeholder='Your password'>",
        "<label>Password <a href=/reset>Forgotten?</a><input name=password></label>",
        "<input name=f2 id=i><label for=i>Password</label>", "<input type=passwort name=f2 placeholder=Kennwort>",
        "<input type='password ' name=password>", "<input name=kennwort>", "<input name=mot_de_passe>",
        "<input name=motDePasse>", "<input name=f2 placeholder='Votre mot de passe'>",
        "<input name=f2 placeholder=Contraseña>", "<input name=f2 placeholder=Senha>",
        "<input name=f2 placeholder=Hasło>", "<input name=f2 placeholder=Wachtwoord>",
        "<input name=f2 placeholder='Palavra-passe'>", "<input name=f2 placeholder=Пароль>",
        "<input name=f2 placeholder=请输入密码>", "<input name=f2 placeholder=パスワード>",
        "<input name=f2 placeholder=비밀번호>", "<input name=f2 placeholder='كلمة المرور'>",
        "<input name=f2 placeholder=पासवर्ड>",
    ])
    func `a text field that is named or labelled as the password is filled with it`(field: String) {
        let words = sent("<input name=username>" + field) ?? "nothing"
        #expect(words.hasPrefix("signIn username=alice&"), "\(words)")
        #expect(words.hasSuffix("=s3cret"), "\(words)")
    }

    @Test(
        arguments: [
            // A field of the right type wins, whatever else is named so.
            (
                "<input name=user><input name=password><input type=password name=p>",
                "signIn user=alice&password=&p=s3cret"
            ),
            // The user's name is found before the password where nothing names it.
            ("<input name=f1><input name=password>", "signIn f1=alice&password=s3cret"),
            ("<input name=password>", "signIn password=s3cret"),
            (
                "<input type=hidden name=username value=alice><input name=password>",
                "signIn username=alice&password=s3cret"
            ),
            // The name of a field says more than what is shown in it.
            ("<input name=username placeholder='not your password'>", "userName username=alice"),
            ("<input name=email placeholder='E-mail or one-time code'>", "userName email=alice"),
            // A field that only mentions the password is not the password field.
            ("<input name=username><input type=checkbox name=show_password>", "userName username=alice"),
            ("<input name=username><input type=hidden name=password>", "userName username=alice&password="),
            ("<input name=username><button name=forgot>Forgot password?</button>", "userName username=alice"),
        ] as [(String, String)]
    )
    func `one field at most is the password`(fields: String, expected: String) {
        #expect(sent(fields) == expected)
    }

    @Test(arguments: [
        "<input name=password_hint>", "<input name=hint placeholder='Password hint'>",
        "<input name=f2 placeholder='One-time password'>", "<input name=password placeholder='One-time password'>",
        "<input name=otp aria-label=Password>", "<input name=password autocomplete=one-time-code>",
        "<input name=f2 placeholder='Forgot password?'>", "<input name=new_password><input name=confirm_password>",
        "<input name=password autocomplete=new-password>", "<input name=f2 placeholder=Einmalpasswort>",
        "<input name=f2 placeholder='Mot de passe à usage unique'>", "<input name=f2 placeholder='Passwort vergessen'>",
        "<input name=f2 placeholder='Contraseña de un solo uso'>", "<input name=f2 placeholder=ワンタイムパスワード>",
        "<input name=f2 placeholder=忘记密码>", "<input name=f2 placeholder='Passwordless code'>",
        "<input name=user_otp>", "<input name=sms_code placeholder=Password>", "<input name=login_code>",
        "<input name=user_password_hint>",
        "<input name=account_code autocomplete=one-time-code>",
        "<input name=compass>", "<input name=passport>", "<input name=password><input name=password_repeated>",
    ])
    func `a field for something else is not filled with the password`(field: String) {
        #expect(sent(field)?.contains("s3cret") != true)
        #expect(sent(field)?.contains("alice") != true)
    }
}
