/// Why the way to the redirect URI ended before it.
package enum StopReason: Sendable, Hashable, CustomStringConvertible {
    /// No form on the page is one that a user would fill or confirm here.
    case noUsableForm(needsScript: Bool, leftEmpty: LeftEmpty?)
    /// The page has a form for a user name that is no sign-in form; nothing was typed into it, and it was not sent.
    case unsuitableForm(FormObjection, leftEmpty: LeftEmpty?)
    /// The page is an error page: its status is 400 or above and there is no form to go on with.
    case errorPage(status: Int)
    /// The same form came back after it was filled: what was filled in was refused, or it was not what was wanted.
    case sameFormAgain(message: String?, leftEmpty: LeftEmpty?)
    /// The page asked for the password again after it had been sent.
    case passwordRefused(message: String?, leftEmpty: LeftEmpty?)
    /// The password was refused, though an earlier sign-in of the run with the same password led to the client.
    case acceptedPasswordRefused(message: String?)
    /// A request that demands a new sign-in led to the sign-in page again after the password was sent, and the page does not say that
    /// anything is wrong.
    case asksForeverAgain
    /// The one-time code was not taken; with the seconds that the provider's clock is ahead, where they are too many.
    case codeRefused(message: String?, clockDifference: Int?)
    /// The page asks for a passkey, and the one that was given was not taken.
    case passkeyRefused(message: String?)
    /// The run ended before the time step of a one-time code that nobody had used.
    case noCodeInTime
    /// The page wants what only a person can do or decide; `cameBack` when a form had been sent, and it is that form again.
    case asksFor(PageDemand, cameBack: Bool, message: String?)
    /// A page without a form, of a provider whose forms work without JavaScript: its words are the answer.
    case refusedByPage(title: String, text: String)
    /// The password was not sent, because an earlier sign-in of this person ended in a way that another would not change.
    case signInIsOver(because: String)
    /// The provider asked who is there, and a saved session stands in the place of the password.
    case sessionEnded
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
    /// A configured step is for the page, and the page has not got what the step says.
    case stepDoesNotFit(StepMisfit, hasScript: Bool)
    /// The browser that was to show the page could not be used.
    case browserFailed(reason: String)
    /// Nobody came back from a sign-in by hand.
    case byHand(HandStop)

    /// Whether the run kept the password back, so that nothing was learnt of the provider.
    package var isOfBudget: Bool {
        switch self {
        case .tooManySignIns, .signInIsOver, .noCodeInTime: true
        case .byHand(let stop): stop.isNotAsked
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

    /// Whether the provider asks for a one-time code that is not configured, or refuses one.
    package var isAboutCode: Bool {
        switch self {
        case .codeRefused, .asksFor(.oneTimeCode, _, _), .asksFor(.sentCode, _, _): true
        default: false
        }
    }

    /// The reason, where the same password had been accepted before: then it is not the password that is wrong.
    var afterAcceptance: StopReason {
        switch self {
        case .passwordRefused(let message, _), .requestRefused(_, status: 401, _, let message):
            .acceptedPasswordRefused(message: message)
        default: self
        }
    }

    /// What happened, and what to do where no other place says it.
    package var description: String {
        switch self {
        case .asksFor(let demand, _, let message):
            "\(asked(demand)): \(demand.nextStep)" + (message.map { "; it says: \($0)" } ?? "")
        case .noUsableForm(needsScript: true, _):
            "\(whatHappened): write in sign_in.steps which requests its script sends"
        case .noUsableForm(needsScript: false, let leftEmpty), .sameFormAgain(_, let leftEmpty):
            whatHappened + (leftEmpty.map { "; \($0)" } ?? "")
        case .passwordRefused(_, let leftEmpty?):
            "\(whatHappened); if they are right, something else is missing: \(leftEmpty)"
        case .sessionEnded: "\(whatHappened): sign in again with `oidc-preflight sign-in save`"
        case .passwordToUnknownHost, .requestToUnknownHost:
            "\(whatHappened): if it is the provider's, name it in sign_in.hosts"
        default: whatHappened
        }
    }

    /// What happened, in words for a report that gives the next step in its own place.
    package var whatHappened: String {
        switch self {
        case .noUsableForm(needsScript: true, _):
            "the page works with JavaScript only, and has no form that can be sent without it"
        case .noUsableForm(needsScript: false, _):
            "no form on the page is recognised as sign-in, consent or continuation"
        case .unsuitableForm(let objection, _):
            "the form on the page is not taken for a sign-in form and was left alone: \(objection.words)"
        case .errorPage(let status): "the provider answered with an error page (status \(status))"
        case .sameFormAgain(let message, _):
            "the same form came back after it was filled" + (message.map { ": \($0)" } ?? "")
        case .passwordRefused(let message, nil):
            "the user name or the password was refused" + (message.map { ": \($0)" } ?? "")
        case .passwordRefused(let message, _?):
            "the form came back after user name and password were sent" + (message.map { ": \($0)" } ?? "")
        case .acceptedPasswordRefused(let message):
            "the provider refuses the password that it accepted earlier in the run"
                + (message.map { ": \($0)" } ?? "")
        case .asksForeverAgain:
            "the sign-in page came again after the password was sent, which other requests accept"
        case .codeRefused(let message, _):
            "the one-time code was refused; it was sent once, and no other is sent"
                + (message.map { ": \($0)" } ?? "")
        case .passkeyRefused(let message):
            "the page goes on asking for a passkey: the one of sign_in.passkey was not taken"
                + (message.map { "; it says: \($0)" } ?? "")
        case .noCodeInTime: "the run ended before there was a one-time code that had not been used"
        case .asksFor(let demand, _, let message):
            asked(demand) + (message.map { "; it says: \($0)" } ?? "")
        case .refusedByPage(let title, let text):
            "the page has no form to go on with, and says: " + (title.isEmpty ? "" : "\(title): ") + text
        case .signInIsOver(let reason): "the password was not sent again: \(reason)"
        case .sessionEnded: "the saved session has ended"
        case .tooManyPages(let limit): "the redirect URI was not reached within \(limit) pages"
        case .tooManySignIns(let limit):
            "somebody would have to sign in once more than the \(limit) times that are allowed"
        case .tooManyRedirects(let limit): "more than \(limit) redirects in a row"
        case .passwordOverPlainHTTP(let host): "the password would have been sent to http://\(host), without encryption"
        case .passwordToUnknownHost(let host):
            "the password would have been sent to \(host), a host not visited before"
        case .otherRedirectURI(let location): "redirected to \(location), which is not the redirect URI asked for"
        case .unusableRedirect(let location): "redirected to \(location), which is no http or https URL"
        case .notHTML(let mediaType): "the answer is no HTML page but \(mediaType ?? "of no stated media type")"
        case .requestRefused(let request, let status, let expected, let message):
            "\(request), of a step in sign_in.steps, was answered with status \(status) where \(expected) was expected"
                + (message.map { ": \($0)" } ?? "")
        case .missingValue(let placeholder):
            "a step in sign_in.steps needs \(placeholder), for which there is no value at this page"
        case .requestToUnknownHost(let host):
            "a step in sign_in.steps sends a request to \(host), a host not visited before"
        case .browserFailed(let reason): "the browser did not get through: \(reason)"
        case .byHand(let stop): stop.whatHappened
        case .stepDoesNotFit(let misfit, _): "a step in sign_in.steps \(misfit.whatHappened)"
        case .samePageAgain: "the page came back after the requests of its step in sign_in.steps had been sent"
        }
    }

    private func asked(_ demand: PageDemand) -> String {
        guard case .asksFor(_, true, _) = self else { return "the page asks for \(demand.whatIsAsked)" }
        return "the form came back, and the page asks for \(demand.whatIsAsked)"
    }
}

extension StopReason {
    /// What to do about it, in one or two sentences; `nil` where another rung of the sign-in says it.
    package var nextStep: String? {
        switch self {
        case .noUsableForm(needsScript: true, _):
            "Write in sign_in.steps which requests its script sends: a browser's network panel shows them."
        case .noUsableForm(needsScript: false, let leftEmpty), .sameFormAgain(_, let leftEmpty):
            leftEmpty.map { "Fill what is missing: \($0)." }
                ?? "See what the page asks for; a step in sign_in.steps (form_has, fill, press) gets past it."
        case .unsuitableForm(_, let leftEmpty):
            "If the page completes or changes an account, do that once by hand as the test user. If it is the sign-in page, "
                + "fill it in by a step in sign_in.steps\(leftEmpty.map { ": \($0.step)" } ?? " (form_has, fill, press).")"
        case .passwordRefused(_, let leftEmpty?):
            "Check the user name and the password; if they are right, something else is missing: \(leftEmpty)."
        case .acceptedPasswordRefused:
            "The password is right: the provider limits how often or how many times at once a user signs in, or it has locked "
                + "the account. See its brute-force detection, and except the test user from it."
        case .asksForeverAgain:
            "Remember in the provider that the user has signed in for this request, and go on to the client."
        case .codeRefused(_, let difference):
            (difference.map(Self.clock) ?? "")
                + "Compare sign_in.totp with the authenticator app of the test user: the secret, digits, period and algorithm, "
                + "and this machine's clock. A code that the app or another run has used in the same half minute is refused too."
        case .passkeyRefused:
            "Compare sign_in.passkey with what the provider keeps of it: credential_id, user_handle, the host of rp_id, and a "
                + "sign_count above the last that it saw. A page on an address in place of a name has no passkeys."
        case .asksFor(let demand, _, _): demand.nextStep.capitalizedSentence
        case .refusedByPage, .errorPage, .passwordRefused, .signInIsOver, .tooManySignIns, .noCodeInTime,
            .otherRedirectURI, .unusableRedirect:
            nil
        case .sessionEnded: "Sign in again with `oidc-preflight sign-in save`, which writes the file anew."
        case .tooManyPages:
            "See in the report which pages come again; a step in sign_in.steps may shorten the way."
        case .tooManyRedirects:
            "Open the authorization request in a browser without cookies: where it does not end there either, the provider loses "
                + "its session on the way; see its log, and the paths, hosts and SameSite of its cookies."
        case .passwordOverPlainHTTP:
            "Serve the sign-in page, and what its form is sent to, by https; the password was not sent."
        case .passwordToUnknownHost(let host), .requestToUnknownHost(let host):
            "If \(host) is the provider's, name it in sign_in.hosts; nothing was sent there."
        case .notHTML: "A browser would show data there: see the exchange in the report, and the provider's log."
        case .browserFailed:
            "Watch it with --show-browser; what it takes to be driven, “doctor” says. sign_in.driver: form goes without a browser."
        case .byHand(let stop): stop.nextStep
        case .stepDoesNotFit(let misfit, let hasScript):
            Self.advice(misfit, hasScript: hasScript)
        case .requestRefused, .missingValue, .samePageAgain:
            "Compare the step in sign_in.steps with what a browser sends: its network panel shows the requests."
        }
    }

    private static func advice(_ misfit: StepMisfit, hasScript: Bool) -> String {
        let browser =
            hasScript
            ? " What a script adds is seen by sign_in.driver: browser alone." : ""
        return switch misfit {
        case .condition:
            "Compare wait_for with the page. A page changes by itself in a browser only: sign_in.driver: browser waits for it, "
                + "as long as sign_in.page_timeout says."
        case .field, .choice:
            "Compare the step in sign_in.steps with the fields of the page, which the report names." + browser
        }
    }

    private static func clock(_ difference: Int) -> String {
        "The provider's clock is \(abs(difference)) s \(difference > 0 ? "ahead of" : "behind") this machine's, which is more "
            + "than its codes allow for: set the clocks first. "
    }
}

extension String {
    /// The sentence that begins with a capital letter and ends with a full stop.
    fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
