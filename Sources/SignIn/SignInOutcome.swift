package import Transport

/// The outcome of an authorization request.
package enum SignInOutcome: Sendable, Hashable {
    /// At the redirect URI, which was not fetched.
    ///
    /// The URL has its query and fragment byte for byte; `formPost` is the form of a `form_post` page.
    case arrived(at: String, formPost: ResponseForm?)
    /// At a page that stopped the sign-in, or at a response that is not a page.
    case stopped(StopReason, page: PageSummary?)
    /// At an exchange that failed.
    case failed(TransportFailure)
}

extension SignInOutcome {
    /// The end of the attempt, for the user's other sign-ins.
    var endOfAttempt: SignInAttempts.End {
        switch self {
        case .arrived, .stopped(.otherRedirectURI, _), .stopped(.unusableRedirect, _): .arrived
        case .stopped(let reason, _):
            switch reason {
            case .codeRefused, .passkeyRefused: .final(reason)
            case .passwordRefused, .acceptedPasswordRefused, .requestRefused: .refused(reason)
            case .requests(.oneTimeCode, _, _), .requests(.termsOfUse, _, _), .sameFormAgain, .unsuitableForm:
                .barred(reason.description)
            case .requests: .refused(reason)
            case .tooManySignIns, .signInIsOver, .noCodeInTime, .sessionEnded: .withheld
            default: .elsewhere(reason.description)
            }
        case .failed(let failure): .elsewhere("\(failure)")
        }
    }
}

/// A form that submits the response to the client (OAuth 2.0 Form Post Response Mode section 2).
package struct ResponseForm: Sendable, Hashable {
    /// The parameters that a browser would send.
    package var parameters: FormParameters
    /// The target, resolved against the page.
    package var action: String
    package var method: String
    package var encoding: String
    /// Whether the page has a script that can send the form without the user.
    package var sendsItself: Bool
    /// The directive of the page's policy that keeps its script from sending the form; `nil` for none, and without a script.
    package var blocking: String?

    package init(
        parameters: FormParameters,
        action: String,
        method: String,
        encoding: String,
        sendsItself: Bool,
        blocking: String? = nil
    ) {
        self.parameters = parameters
        self.action = action
        self.method = method
        self.encoding = encoding
        self.sendsItself = sendsItself
        self.blocking = blocking
    }
}

/// One hop of a sign-in: the exchange, and the fields that were filled in to reach it.
///
/// The password, fields that are never recorded and the values of cookies are already removed.
package struct Visit: Sendable, Hashable {
    /// The cause of the exchange.
    package enum Cause: String, Sendable, Hashable {
        case opened
        /// Opened in a browser by a user; the run does not know what it showed.
        case byHand
        /// Not sent: the response would go to a place where the run cannot read it.
        case kept
        case redirect
        case refresh
        /// A page that was met before, now in a browser.
        case shown
        case configuredStep
        case signIn
        case userName
        /// A one-time code, in a form of its own.
        case oneTimeCode
        /// A button that requests a passkey.
        case passkey
        /// The test user, among accounts to choose from.
        case account
        case consent
        case continuation
    }

    package var cause: Cause
    package var exchange: HTTPExchange
    /// The names of the fields that were filled in.
    package var filled: [String]
    /// The button that was pressed, as `name=value` or by its words.
    package var pressed: String?
    /// Whether a user's password was sent.
    package var isSignIn: Bool
    /// Whether the user's name or the password was written, by recognition or by a step: then a user signed in.
    package var wroteCredentials: Bool
    /// The values of the cookies that were sent and set: secrets, handed over so that they are known where they are
    /// repeated, and never kept.
    package var cookieValues: [String]
    /// The one-time code that was sent: a secret, handed over and not kept for the same reason.
    package var code: String?
    /// The page that a user saw after the exchange; `nil` for a redirect, or a response to a script.
    package var page: SeenPage?
    /// The form that a browser would not have sent from here, or whose redirect it would not have followed; `nil` for none.
    package var blockedForm: BlockedForm?
    /// The cookies that the response sets and browsers reject.
    package var refusedCookies: [RefusedCookie] = []
    /// The names of cookies that the request does not carry because they are for requests of the site itself.
    package var withheldCookies: [String] = []
}

/// A cookie that browsers reject.
package struct RefusedCookie: Sendable, Hashable {
    package enum CookieProblem: String, Sendable {
        /// `SameSite=None` without `Secure`.
        case noneWithoutSecure
        /// A name that begins with `__Secure-`, without `Secure`.
        case prefixWithoutSecure
        /// A name that begins with `__Host-`, without `Secure` and `Path=/`, or with `Domain`.
        case hostPrefix
    }

    package var name: String
    package var flaw: CookieProblem
}

/// A page's content, of limited size, for a user who has to write a step for it.
package struct PageSummary: Sendable, Hashable {
    /// A form: its target, and its fields with their types.
    package struct Form: Sendable, Hashable {
        package var action: String
        package var method: String
        package var fields: [Field]
    }

    package struct Field: Sendable, Hashable {
        package var name: String
        var type: String
    }

    /// The address with the values of its query masked.
    package var address: String
    package var status: Int
    package var title: String
    package var forms: [Form]
    /// The first 400 characters of the visible text.
    package var textStart: String
    /// Whether the page looks as if it did nothing without JavaScript; a guess.
    var needsScript: Bool
    /// Whether it says itself that it needs JavaScript.
    var requestsScript: Bool
    /// Whether it has any words for those who have JavaScript.
    var hasWords: Bool
    /// See ``HTMLPage/customNames``.
    package var customNames: Set<String>

    init(address: WebURL, status: Int, page: HTMLPage) {
        self.address = Redaction.maskingQuery(address).bounded(500)
        self.status = status
        title = page.title.bounded(200)
        forms = page.forms.prefix(10)
            .map { form in
                Form(
                    action: (address.resolve(form.action).map(Redaction.maskingQuery) ?? form.action).bounded(500),
                    method: form.method.bounded(20),
                    fields: form.controls.prefix(40)
                        .map { control in
                            Field(name: control.name.bounded(100), type: control.type.bounded(30))
                        }
                )
            }
        hasWords = !page.textBesideNoScript.isEmpty
        textStart = (hasWords ? page.textBesideNoScript : page.text).bounded(400)
        requestsScript = page.requestsScript
        needsScript = page.seemsToNeedScript
        customNames = page.customNames
    }
}

extension String {
    /// The beginning of the text, without control characters, at most so many characters long.
    func bounded(_ limit: Int) -> String {
        if utf8.count <= limit, utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return self }
        let scalars = unicodeScalars.prefix(limit).filter { $0.value >= 0x20 && $0.value != 0x7F }
        return String(String.UnicodeScalarView(scalars))
    }
}

extension Visit.Cause {
    /// Whether a form or a request was sent for the user, without a redirect after it.
    var isByUser: Bool {
        switch self {
        case .opened, .byHand, .kept, .redirect, .refresh, .shown: false
        case .configuredStep, .signIn, .userName, .oneTimeCode, .passkey, .account, .consent, .continuation: true
        }
    }
}
