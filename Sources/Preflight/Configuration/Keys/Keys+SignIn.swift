internal import Browsing
internal import Flows
internal import SignIn

/// The keys of `sign_in`.
extension Keys {
    enum SignIn {
        static let username = ConfigurationKey(
            "username",
            .text(),
            "The test user's name; optional with driver: manual.",
            isRequired: true,
            waivedBy: .init(key: "driver", value: SignInDriver.manual.rawValue)
        )
        static let password = ConfigurationKey(
            "password",
            .secret,
            "The source of the test user's password: { env: NAME }, { file: PATH } or ${NAME}; never the text itself."
        )
        static let max = ConfigurationKey(
            "max",
            .wholeNumber(1...1_000_000),
            "The maximum number of sign-ins (--max-sign-ins); the most expensive scenarios are dropped first."
        )
        static let steps = ConfigurationKey(
            "steps",
            .list(.oneOf([FormStep.all, WaitStep.all, RequestStep.all])),
            "The steps for pages that are not detected."
        )
        static let hosts = ConfigurationKey(
            "hosts",
            .list(.text(examples: ["login.example.com:8443"])),
            "Further hosts that may receive credentials, with the port unless it is 443."
        )
        static let other = ConfigurationKey(
            "other",
            .mapping(Other.all),
            "A second test user; the provider must not confuse its tokens with the first user's."
        )
        static let totp = ConfigurationKey(
            "totp",
            .mapping(Authenticator.all),
            "The generator of the test user's one-time codes, if the provider requires them."
        )
        static let passkey = ConfigurationKey(
            "passkey",
            .mapping(Passkey.all),
            "The test user's passkey, if the provider requires one; needs Chromium."
        )
        static let driver = ConfigurationKey(
            "driver",
            .word(SignInDriver.allCases.map(\.rawValue)),
            "How to sign in: form (HTML forms over HTTP, and a browser for pages that need JavaScript), browser, or manual (by hand)."
        )
        static let browser = ConfigurationKey(
            "browser",
            .word(BrowserKind.allCases.map(\.rawValue)),
            "The automated browser. Default: chromium if installed, else firefox."
        )
        static let manualTimeout = ConfigurationKey(
            "manual_timeout",
            .duration,
            "The time limit of a manual sign-in. Default: 300 seconds."
        )
        static let pageTimeout = ConfigurationKey(
            "page_timeout",
            .duration,
            "The time limit for a browser page to settle. Default: 60 seconds."
        )
        static let session = ConfigurationKey(
            "session",
            .mapping(Session.all),
            "A session saved by sign-in save, instead of the password."
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
            "The file written by sign-in save; its mode must be 600.",
            isRequired: true
        )
        static let key = ConfigurationKey(
            "key",
            .secret,
            "The source of the encryption key: { env: NAME }, { file: PATH } or ${NAME}.",
            isRequired: true
        )
        static let all = [file, key]
    }

    enum Passkey {
        /// Strict base64url without padding.
        private static let bytes = "^([A-Za-z0-9_-]{4})*([A-Za-z0-9_-]{4}|[A-Za-z0-9_-]{2}|[A-Za-z0-9_-]{3})$"

        static let credentialID = ConfigurationKey(
            "credential_id",
            .text(pattern: bytes),
            "The identifier of the credential, in base64url.",
            isRequired: true
        )
        static let privateKey = ConfigurationKey(
            "private_key",
            .secret,
            "The source of the credential's P-256 key, as PEM (PKCS #8) or JWK: { env: NAME }, { file: PATH } or ${NAME}.",
            isRequired: true
        )
        static let userHandle = ConfigurationKey(
            "user_handle",
            .text(pattern: bytes),
            "The user handle in the credential, in base64url; without it the provider must specify the credential."
        )
        static let relyingParty = ConfigurationKey(
            "rp_id",
            .text(examples: ["login.example.com"]),
            "The host that the passkey belongs to. Default: the host of the issuer."
        )
        static let signCount = ConfigurationKey(
            "sign_count",
            .wholeNumber(0...4_294_967_294),
            "The counter of the last signature. Default: the time in seconds."
        )
        static let all = [credentialID, privateKey, userHandle, relyingParty, signCount]
    }

    enum Other {
        static let username = ConfigurationKey("username", .text(), "The second user's name.", isRequired: true)
        static let password = ConfigurationKey(
            "password",
            .secret,
            "The source of the second user's password: { env: NAME }, { file: PATH } or ${NAME}.",
            isRequired: true
        )
        static let emailIsVerified = ConfigurationKey(
            "email_is_verified",
            .boolean,
            "false if the second user's e-mail address is not verified."
        )
        static let totp = ConfigurationKey(
            "totp",
            .mapping(Authenticator.all),
            "The generator of the second user's one-time codes."
        )
        static let all = [username, password, totp, emailIsVerified]
    }

    enum Authenticator {
        static let secret = ConfigurationKey(
            "secret",
            .secret,
            "The source of the authenticator secret, in base32 or as an otpauth:// address: { env: NAME }, { file: PATH } or "
                + "${NAME}; never the text itself.",
            isRequired: true
        )
        static let digits = ConfigurationKey(
            "digits",
            .wholeNumber(6...8),
            "The number of digits of a code. Default: 6."
        )
        static let period = ConfigurationKey("period", .duration, "The validity of a code. Default: 30 s.")
        static let algorithm = ConfigurationKey(
            "algorithm",
            .word(
                Flows.Authenticator.Algorithm.allCases.map(\.rawValue),
                others: [
                    "sha1", "sha256", "sha512", "SHA-1", "SHA-256", "SHA-512", "HmacSHA1", "HmacSHA256", "HmacSHA512",
                ]
            ),
            "The hash function of the codes. Default: SHA1."
        )
        static let all = [secret, digits, period, algorithm]
    }

    enum FormStep {
        static let formHas = ConfigurationKey(
            "form_has",
            .list(.text(examples: ["login", "id=login", "label=User name", "css=form.login input"])),
            "Fields or buttons that identify the form: names, or id=, label= (the visible text) or css= (a selector).",
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
            "The condition to wait for: css= and a selector, text= and a visible text, or url= and the path of the address; "
                + "all conditions of a list must be met."
        )
        static let fill = ConfigurationKey(
            "fill",
            .pairs(.oneOrList(.text(examples: ["{username}", "{password}", "{totp}", "{env:NAME}"]))),
            "Fields and their values, by name, id=, label= or css=. {username}, {password} and {totp} insert the credentials, "
                + "{env:NAME} an environment variable with a secret."
        )
        static let choose = ConfigurationKey(
            "choose",
            .pairs(.text(examples: ["{username}"])),
            "Choices in lists, radio buttons or buttons: the field, with the value or the visible text of the choice."
        )
        static let press = ConfigurationKey(
            "press",
            .either(.pairs(.text()), .text(examples: ["label=Continue", "id=next", "css=button.primary"])),
            "The button: its name and value, or only its name, id=, label= or css=."
        )
        static let all = [formHas, waitFor, fill, choose, press]
    }

    enum RequestStep {
        static let when = ConfigurationKey(
            "when",
            .mapping(Page.all),
            "The page on which the requests are sent.",
            isRequired: true
        )
        static let request = ConfigurationKey(
            "request",
            .oneOrList(.mapping(Request.all)),
            "One request, or several that are sent in order.",
            isRequired: true
        )
        static let then = ConfigurationKey(
            "then",
            .text(examples: ["retry", "follow"]),
            "retry: repeat the authorization request; follow: the Location of the last response; or an address."
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
            "The path of the page's address; * matches any text.",
            isRequired: true
        )
        static let query = ConfigurationKey(
            "query",
            .list(.text()),
            "Parameters that the query of the address must contain."
        )
        static let all = [path, query]
    }

    enum Request {
        static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

        static let method = ConfigurationKey(
            "method",
            .word(methods),
            "The method. Default: POST with a body, else GET."
        )
        static let url = ConfigurationKey(
            "url",
            .text(examples: ["/api/login"]),
            "The address, absolute or relative to the page.",
            isRequired: true
        )
        static let headers = ConfigurationKey(
            "headers",
            .pairs(.text()),
            "Additional headers, besides those of a browser."
        )
        static let json = ConfigurationKey("json", .json, "The body, as JSON.")
        static let form = ConfigurationKey("form", .pairs(.text()), "The body, as form fields.")
        static let expect = ConfigurationKey(
            "expect",
            .oneOrList(.wholeNumber(200...599)),
            "The expected status, or several. Default: 200 to 299."
        )
        static let all = [method, url, headers, json, form, expect]
    }
}
