internal import Browsing
internal import Flows
internal import SignIn

/// The keys of `sign_in`.
extension Keys {
    enum SignIn {
        static let username = ConfigurationKey(
            "username",
            .text(),
            "The test user's name; with driver: manual it need not be said.",
            isRequired: true,
            waivedBy: .init(key: "driver", value: SignInDriver.manual.rawValue)
        )
        static let password = ConfigurationKey(
            "password",
            .secret,
            "Where the test user's password comes from: { env: NAME }, { file: PATH } or ${NAME}; never the text itself."
        )
        static let max = ConfigurationKey(
            "max",
            .wholeNumber(1...1_000_000),
            "How many times a run may sign in (--max-sign-ins); what costs most is left out first."
        )
        static let steps = ConfigurationKey(
            "steps",
            .list(.oneOf([FormStep.all, WaitStep.all, RequestStep.all])),
            "What to do at pages that are not recognised."
        )
        static let hosts = ConfigurationKey(
            "hosts",
            .list(.text(examples: ["login.example.com:8443"])),
            "Further hosts that credentials may be sent to, with the port where it is not 443."
        )
        static let other = ConfigurationKey(
            "other",
            .mapping(Other.all),
            "A second test user, whose tokens must not be taken for the first one's."
        )
        static let totp = ConfigurationKey(
            "totp",
            .mapping(Authenticator.all),
            "What makes the test user's one-time codes, where the provider asks for them."
        )
        static let passkey = ConfigurationKey(
            "passkey",
            .mapping(Passkey.all),
            "The test user's passkey, where the provider asks for one; it takes Chromium."
        )
        static let driver = ConfigurationKey(
            "driver",
            .word(SignInDriver.allCases.map(\.rawValue)),
            "Who goes through the pages: form (HTML over HTTP, and a browser where a page needs JavaScript), browser, or manual (a person)."
        )
        static let browser = ConfigurationKey(
            "browser",
            .word(BrowserKind.allCases.map(\.rawValue)),
            "Which browser goes through them where one does; chromium where it is installed, else firefox, where it is not said."
        )
        static let manualTimeout = ConfigurationKey(
            "manual_timeout",
            .duration,
            "How long a sign-in by hand may take; 300 seconds where it is not said."
        )
        static let pageTimeout = ConfigurationKey(
            "page_timeout",
            .duration,
            "How long a page of the browser may take until it is at rest; 60 seconds where it is not said."
        )
        static let session = ConfigurationKey(
            "session",
            .mapping(Session.all),
            "A session that sign-in save has kept, in the place of the password."
        )
        static let all = [
            username, password, totp, passkey, session, driver, browser, pageTimeout, manualTimeout, max, steps, hosts,
            other,
        ]
    }

    enum Session {
        static let file = ConfigurationKey(
            "file",
            .text(examples: ["session.enc"]),
            "The file that sign-in save has written; of its owner alone (mode 600).",
            isRequired: true
        )
        static let key = ConfigurationKey(
            "key",
            .secret,
            "Where the key comes from with which it was saved: { env: NAME }, { file: PATH } or ${NAME}.",
            isRequired: true
        )
        static let all = [file, key]
    }

    enum Passkey {
        /// Base64url by the letter, without padding.
        private static let octets = "^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{4}|[A-Za-z0-9_-]{2}|[A-Za-z0-9_-]{3})$"

        static let credentialID = ConfigurationKey(
            "credential_id",
            .text(pattern: octets),
            "The identifier of the credential, in base64url.",
            isRequired: true
        )
        static let privateKey = ConfigurationKey(
            "private_key",
            .secret,
            "Where the credential's P-256 key comes from, as PEM (PKCS #8) or JWK: { env: NAME }, { file: PATH } or ${NAME}.",
            isRequired: true
        )
        static let userHandle = ConfigurationKey(
            "user_handle",
            .text(pattern: octets),
            "What the account is called in the credential, in base64url; without it the provider has to name the credential."
        )
        static let relyingParty = ConfigurationKey(
            "rp_id",
            .text(examples: ["login.example.com"]),
            "The host that the passkey is for; that of the issuer where it is not said."
        )
        static let signCount = ConfigurationKey(
            "sign_count",
            .wholeNumber(0...4_294_967_294),
            "The counter of the last signature; the time in seconds where it is not said."
        )
        static let all = [credentialID, privateKey, userHandle, relyingParty, signCount]
    }

    enum Other {
        static let username = ConfigurationKey("username", .text(), "The second user's name.", isRequired: true)
        static let password = ConfigurationKey(
            "password",
            .secret,
            "Where the second user's password comes from: { env: NAME }, { file: PATH } or ${NAME}.",
            isRequired: true
        )
        static let emailIsVerified = ConfigurationKey(
            "email_is_verified",
            .boolean,
            "false where nobody has verified the second user's e-mail address."
        )
        static let totp = ConfigurationKey(
            "totp",
            .mapping(Authenticator.all),
            "What makes the second user's one-time codes."
        )
        static let all = [username, password, totp, emailIsVerified]
    }

    enum Authenticator {
        static let secret = ConfigurationKey(
            "secret",
            .secret,
            "Where the secret of the authenticator app comes from, in base32 or as an otpauth:// address: { env: NAME }, { file: PATH } or "
                + "${NAME}; never the text itself.",
            isRequired: true
        )
        static let digits = ConfigurationKey(
            "digits",
            .wholeNumber(6...8),
            "How many digits a code has; 6 where nothing else is said."
        )
        static let period = ConfigurationKey(
            "period",
            .duration,
            "How long a code lasts; 30 s where nothing else is said."
        )
        static let algorithm = ConfigurationKey(
            "algorithm",
            .word(
                Flows.Authenticator.Algorithm.allCases.map(\.rawValue),
                others: [
                    "sha1", "sha256", "sha512", "SHA-1", "SHA-256", "SHA-512", "HmacSHA1", "HmacSHA256", "HmacSHA512",
                ]
            ),
            "The hash function of the codes; SHA1 where nothing else is said."
        )
        static let all = [secret, digits, period, algorithm]
    }

    enum FormStep {
        static let formHas = ConfigurationKey(
            "form_has",
            .list(.text(examples: ["login", "id=login", "label=User name", "css=form.login input"])),
            "Fields or buttons by which the form is known: their names, or id=, label= (its words) or css= (a selector) with what stands for them.",
            isRequired: true
        )
        static let waitFor = ConfigurationKey(
            "wait_for",
            .oneOrList(
                .text(
                    pattern: #"^((css|text)=\s*\S|url=[/*])"#,
                    examples: ["css=#ready", "text=Choose an account", "url=/consent*"]
                )
            ),
            "What the page must come to before anything is done there: css= a selector, text= what is to be read, url= the path of its address; "
                + "of a list all."
        )
        static let fill = ConfigurationKey(
            "fill",
            .pairs(.oneOrList(.text(examples: ["{username}", "{password}", "{totp}", "{env:NAME}"]))),
            "Fields with what is written there, by name, id=, label= or css=; {username}, {password} and {totp} stand for the credentials, "
                + "{env:NAME} for a secret in the environment."
        )
        static let choose = ConfigurationKey(
            "choose",
            .pairs(.text(examples: ["{username}"])),
            "What is chosen in a list, among round boxes or among buttons: the field, with the value or the words of the choice."
        )
        static let press = ConfigurationKey(
            "press",
            .either(.pairs(.text()), .text(examples: ["label=Continue", "id=next", "css=button.primary"])),
            "The button: its name with its value, or its name, id=, label= or css= alone."
        )
        static let all = [formHas, waitFor, fill, choose, press]
    }

    enum RequestStep {
        static let when = ConfigurationKey(
            "when",
            .mapping(Page.all),
            "The page at which the requests are sent.",
            isRequired: true
        )
        static let request = ConfigurationKey(
            "request",
            .oneOrList(.mapping(Request.all)),
            "One request, or several that are sent in turn.",
            isRequired: true
        )
        static let then = ConfigurationKey(
            "then",
            .text(examples: ["retry", "follow"]),
            "retry: the authorization request once more; follow: the Location of the last answer; or an address."
        )
        static let all = [when, request, then]
    }

    enum WaitStep {
        static let waitFor = ConfigurationKey(
            FormStep.waitFor.name,
            FormStep.waitFor.kind,
            FormStep.waitFor.help,
            isRequired: true
        )
        static let all = [RequestStep.when, waitFor]
    }

    enum Page {
        static let path = ConfigurationKey(
            "path",
            .text(pattern: "^[/*]", examples: ["/login"]),
            "The path of the page's address; * stands for any text.",
            isRequired: true
        )
        static let query = ConfigurationKey(
            "query",
            .list(.text()),
            "Names that the query of its address must all have."
        )
        static let all = [path, query]
    }

    enum Request {
        static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

        static let method = ConfigurationKey("method", .word(methods), "Default: POST with a body, else GET.")
        static let url = ConfigurationKey(
            "url",
            .text(examples: ["/api/login"]),
            "Absolute, or relative to the page's address.",
            isRequired: true
        )
        static let headers = ConfigurationKey(
            "headers",
            .pairs(.text()),
            "Headers besides those that a browser sends by itself."
        )
        static let json = ConfigurationKey("json", .json, "The body, as JSON.")
        static let form = ConfigurationKey("form", .pairs(.text()), "The body, as fields of a form.")
        static let expect = ConfigurationKey(
            "expect",
            .oneOrList(.wholeNumber(200...599)),
            "The status, or several, with which the step goes on. Default: 200 to 299."
        )
        static let all = [method, url, headers, json, form, expect]
    }
}
