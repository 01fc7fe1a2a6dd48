package import Transport

/// Where an authorization request ended.
package enum SignInOutcome: Sendable, Hashable {
    /// At the redirect URI, which was not fetched.
    ///
    /// The URL has its query and fragment byte for byte; `formPost` is the form of a `form_post` page.
    case arrived(at: String, formPost: ResponseForm?)
    /// At a page that could not be got past, or at an answer that is no page.
    case stopped(StopReason, page: PageSummary?)
    /// At an exchange that failed.
    case failed(TransportFailure)
}

extension SignInOutcome {
    /// What the end of a way says of the sign-in on it.
    var endOfAttempt: SignInAttempts.End {
        switch self {
        case .arrived, .stopped(.otherRedirectURI, _), .stopped(.unusableRedirect, _): .arrived
        case .stopped(let reason, _):
            switch reason {
            case .passwordRefused, .requestRefused: .refused(reason.description)
            case .asksFor(.captcha, _, _), .asksFor(.emailMessage, _, _), .asksFor(.passkey, _, _),
                .asksFor(.otherProvider, _, _):
                .refused(reason.description)
            case .asksFor, .sameFormAgain: .barred(reason.description)
            case .tooManySignIns, .signInIsOver: .withheld
            default: .elsewhere(reason.description)
            }
        case .failed(let failure): .elsewhere("\(failure)")
        }
    }
}

/// A form that takes the response to the client (OAuth 2.0 Form Post Response Mode section 2).
package struct ResponseForm: Sendable, Hashable {
    /// What a browser would send.
    package var parameters: FormParameters
    /// Where to, resolved against the page.
    package var action: String
    package var method: String
    package var encoding: String
    /// Whether the page has a script that can send the form without the user.
    package var sendsItself: Bool

    package init(parameters: FormParameters, action: String, method: String, encoding: String, sendsItself: Bool) {
        self.parameters = parameters
        self.action = action
        self.method = method
        self.encoding = encoding
        self.sendsItself = sendsItself
    }
}

/// Why the way to the redirect URI ended before it.
package enum StopReason: Sendable, Hashable, CustomStringConvertible {
    /// No form on the page is one that a user would fill or confirm here.
    case noUsableForm(needsScript: Bool, leftEmpty: LeftEmpty?)
    /// The page is an error page: its status is 400 or above and there is no form to go on with.
    case errorPage(status: Int)
    /// The same form came back after it was filled: what was filled in was refused, or it was not what was wanted.
    case sameFormAgain(message: String?, leftEmpty: LeftEmpty?)
    /// The page asked for the password again after it had been sent.
    case passwordRefused(message: String?, leftEmpty: LeftEmpty?)
    /// The page wants what only a person can do or decide; `cameBack` when a form had been sent, and it is that form again.
    case asksFor(PageDemand, cameBack: Bool, message: String?)
    /// A page without a form, of a provider whose forms work without JavaScript: its words are the answer.
    case refusedByPage(title: String, text: String)
    /// The password was not sent, because an earlier sign-in of this person ended in a way that another would not change.
    case signInIsOver(because: String)
    case tooManyPages(limit: Int)
    case tooManyRedirects(limit: Int)
    /// The password was not sent, because it had been sent as often as was allowed.
    case tooManySignIns(limit: Int)
    /// The password would have crossed the network in the clear.
    case passwordOverPlainHTTP(host: String)
    /// The password would have gone to a host that the provider had not led to before.
    case passwordToUnknownHost(host: String)
    /// The provider redirects to the relying party's host, but not to the redirect URI that was asked for.
    case otherRedirectURI(location: String)
    /// A redirect to something that is no http or https URL.
    case unusableRedirect(location: String)
    case notHTML(mediaType: String?)
    /// A request of a configured step got another status than the expected one.
    case requestRefused(request: String, status: Int, expected: String, message: String?)
    /// A placeholder of a configured step has no value here.
    case missingValue(placeholder: String)
    /// A request of a configured step would have gone to a host that the provider had not led to before.
    case requestToUnknownHost(host: String)
    /// The page came back after the requests of its step had been sent.
    case samePageAgain

    /// Whether the run kept the password back, so that nothing was learnt of the provider.
    package var isOfBudget: Bool {
        switch self {
        case .tooManySignIns, .signInIsOver: true
        default: false
        }
    }

    /// Whether it is the user name or the password that was refused, as far as can be told.
    package var refusesCredentials: Bool {
        switch self {
        // Where a field was left empty, that may be what is missing.
        case .passwordRefused(_, leftEmpty: nil): true
        // A status that speaks of credentials (RFC 9110 section 15.5.2).
        case .requestRefused(_, status: 401, _, _): true
        default: false
        }
    }

    package var description: String {
        switch self {
        case .noUsableForm(needsScript: true, _):
            "the page works with JavaScript only, and has no form that can be sent without it: "
                + "write in sign_in.steps which requests its script sends"
        case .noUsableForm(needsScript: false, let leftEmpty):
            "no form on the page is recognised as sign-in, consent or continuation"
                + (leftEmpty.map { "; \($0)" } ?? "")
        case .errorPage(let status): "the provider answered with an error page (status \(status))"
        case .sameFormAgain(let message, let leftEmpty):
            "the same form came back after it was filled" + (message.map { ": \($0)" } ?? "")
                + (leftEmpty.map { "; \($0)" } ?? "")
        case .passwordRefused(let message, nil):
            "the user name or the password was refused" + (message.map { ": \($0)" } ?? "")
        case .passwordRefused(let message, let leftEmpty?):
            "the form came back after user name and password were sent" + (message.map { ": \($0)" } ?? "")
                + "; if they are right, something else is missing: \(leftEmpty)"
        case .asksFor(let demand, let cameBack, let message):
            (cameBack ? "the form came back, and the page asks for " : "the page asks for ") + demand.description
                + (message.map { "; it says: \($0)" } ?? "")
        case .refusedByPage(let title, let text):
            "the page has no form to go on with, and says: " + (title.isEmpty ? "" : "\(title): ") + text
        case .signInIsOver(let reason): "the password was not sent again: \(reason)"
        case .tooManyPages(let limit): "the redirect URI was not reached within \(limit) pages"
        case .tooManySignIns(let limit):
            "somebody would have to sign in once more than the \(limit) times that are allowed"
        case .tooManyRedirects(let limit): "more than \(limit) redirects in a row"
        case .passwordOverPlainHTTP(let host): "the password would have been sent to \(host) over plain http"
        case .passwordToUnknownHost(let host):
            "the password would have been sent to \(host), a host not visited before: if it is the provider's, name it "
                + "in sign_in.hosts"
        case .otherRedirectURI(let location): "redirected to \(location), which is not the redirect URI asked for"
        case .unusableRedirect(let location): "redirected to \(location), which is no http or https URL"
        case .notHTML(let mediaType): "the answer is no HTML page but \(mediaType ?? "of no stated media type")"
        case .requestRefused(let request, let status, let expected, let message):
            "\(request), of a step in sign_in.steps, was answered with status \(status) where \(expected) was expected"
                + (message.map { ": \($0)" } ?? "")
        case .missingValue(let placeholder):
            "a step in sign_in.steps needs \(placeholder), for which there is no value at this page"
        case .requestToUnknownHost(let host):
            "a step in sign_in.steps sends a request to \(host), a host not visited before: if it is the provider's, "
                + "name it in sign_in.hosts"
        case .samePageAgain: "the page came back after the requests of its step in sign_in.steps had been sent"
        }
    }
}

/// One hop on the way: the exchange, and what was filled in to get there.
///
/// The password, fields that are never recorded and the values of cookies are already taken out.
package struct Visit: Sendable, Hashable {
    /// What led to the exchange.
    package enum Cause: String, Sendable, Hashable {
        case opened
        case redirect
        case refresh
        case configuredStep
        case signIn
        case userName
        case consent
        case continuation
    }

    package var cause: Cause
    package var exchange: HTTPExchange
    /// The names of the fields that were filled in.
    package var filled: [String]
    /// The button that was pressed, as `name=value` or by its words.
    package var pressed: String?
    /// Whether a person's password was sent.
    package var isSignIn: Bool
    /// Whether the user's name or the password was written, by recognition or by a step: then a person signed in.
    package var wroteCredentials: Bool
    /// The values of the cookies that were sent and set: secrets, handed over so that they are known where they are
    /// repeated, and never kept.
    package var cookieValues: [String]
}

/// What a page showed, in bounded size, for a person who has to write a step for it.
package struct PageSummary: Sendable, Hashable {
    /// A form: where it goes, and its fields with their types.
    package struct Form: Sendable, Hashable {
        package var action: String
        package var method: String
        package var fields: [Field]
    }

    package struct Field: Sendable, Hashable {
        package var name: String
        package var type: String
    }

    /// The address with the values of its query masked.
    package var address: String
    package var status: Int
    package var title: String
    package var forms: [Form]
    /// The first 200 characters of the visible text.
    package var textStart: String
    /// Whether the page looks as if it did nothing without JavaScript; a guess.
    package var needsScript: Bool
    /// Whether it says itself that it needs JavaScript.
    package var asksForScript: Bool
    /// Whether it has any words for those who have JavaScript.
    package var hasWords: Bool

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
        textStart = (hasWords ? page.textBesideNoScript : page.text).bounded(200)
        asksForScript = page.asksForScript
        needsScript = page.seemsToNeedScript
    }
}

extension String {
    /// The beginning of the text, without control characters, at most so many characters long.
    func bounded(_ limit: Int) -> String {
        String(String.UnicodeScalarView(unicodeScalars.prefix(limit).filter { $0.value >= 0x20 && $0.value != 0x7F }))
    }
}
