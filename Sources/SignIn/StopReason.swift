/// The reason why an authorization request did not reach the redirect URI.
package enum StopReason: Sendable, Hashable, CustomStringConvertible {
    /// No form on the page is one that a user would fill or confirm here.
    case noUsableForm(needsScript: Bool, emptyFields: EmptyFields?)
    /// The page has a form with a user name that is not a sign-in form; the run did not fill or submit it.
    case unsuitableForm(FormObjection, emptyFields: EmptyFields?)
    /// The page is an error page: status 400 or above, and no form to continue with.
    case errorPage(status: Int)
    /// The provider returned the same form after it was submitted: it rejected the input or expected other input.
    case sameFormAgain(message: String?, emptyFields: EmptyFields?)
    /// The page requested the password again after it was sent.
    case passwordRefused(message: String?, emptyFields: EmptyFields?)
    /// The password was rejected, although an earlier sign-in of the run with the same password reached the client.
    case acceptedPasswordRefused(message: String?)
    /// A request that demands a new sign-in led to the sign-in page again after the password was sent, and the page reports no
    /// error.
    case signInPageRepeats
    /// The one-time code was rejected; `clockDifference` is the seconds that the provider's clock is ahead, if too many.
    case codeRefused(message: String?, clockDifference: Int?)
    /// The page requests a passkey, and the configured one was not accepted.
    case passkeyRefused(message: String?)
    /// The run ended before an unused one-time code was available.
    case noCodeInTime
    /// The page requires something that only a user can do or decide; `cameBack` if this form was already submitted.
    case requests(PageDemand, cameBack: Bool, message: String?)
    /// A page without a form, from a provider whose forms work without JavaScript: its text is the answer.
    case refusedByPage(title: String, text: String)
    /// The password was not sent, because an earlier sign-in of this user ended in a way that a retry would not change.
    case signInIsOver(because: String)
    /// The provider requested a sign-in, although a saved session was used instead of the password.
    case sessionEnded
    case tooManyPages(limit: Int)
    case tooManyRedirects(limit: Int)
    /// The password was not sent, because the sign-in limit was reached.
    case tooManySignIns(limit: Int)
    /// The password would have been sent unencrypted.
    case passwordOverPlainHTTP(host: String)
    /// The password would have been sent to a host that the provider had not led to before.
    case passwordToUnknownHost(host: String)
    /// The provider redirects to the client's host, but not to the requested redirect URI.
    case otherRedirectURI(location: String)
    /// A redirect to something that is not an http or https URL.
    case unusableRedirect(location: String)
    case notHTML(mediaType: String?)
    /// A request of a configured step returned an unexpected status.
    case requestRefused(request: String, status: Int, expected: String, message: String?)
    /// A placeholder of a configured step has no value at this page.
    case missingValue(placeholder: String)
    /// A request of a configured step would have been sent to a host that the provider had not led to before.
    case requestToUnknownHost(host: String)
    /// The page came back after the requests of its step had been sent.
    case samePageAgain
    /// A configured step matches the page, but the page lacks something that the step names.
    case stepDoesNotFit(StepMismatch, hasScript: Bool)
    /// The browser could not be used.
    case browserFailed(reason: String)
    /// The sign-in by hand was not completed.
    case byHand(ManualStopReason)

    /// Whether the run did not send the password, so that it learned nothing about the provider.
    package var isOfBudget: Bool {
        switch self {
        case .tooManySignIns, .signInIsOver, .noCodeInTime: true
        case .byHand(let stop): stop.isNotAsked
        default: false
        }
    }

    /// Whether the provider rejected the user name or the password, as far as the page shows.
    package var refusesCredentials: Bool {
        switch self {
        // A field that was left empty may be what is missing.
        case .passwordRefused(_, emptyFields: nil): true
        // This status is about credentials (RFC 9110 section 15.5.2).
        case .requestRefused(_, status: 401, _, _): true
        default: false
        }
    }

    /// Whether the provider requests a one-time code that is not configured, or rejects one.
    package var isAboutCode: Bool {
        switch self {
        case .codeRefused, .requests(.oneTimeCode, _, _), .requests(.sentCode, _, _): true
        default: false
        }
    }

    /// The reason if the same password was accepted before: then the password is not wrong.
    var afterAcceptance: StopReason {
        switch self {
        case .passwordRefused(let message, _), .requestRefused(_, status: 401, _, let message):
            .acceptedPasswordRefused(message: message)
        default: self
        }
    }

    /// What happened, and what to do if no other text says it.
    package var description: String {
        switch self {
        case .requests(let demand, _, let message):
            "\(asked(demand)): \(demand.nextStep)" + (message.map { "; message of the page: \($0)" } ?? "")
        case .noUsableForm(needsScript: true, _):
            "\(whatHappened): add the requests that its script sends to sign_in.steps"
        case .noUsableForm(needsScript: false, let emptyFields), .sameFormAgain(_, let emptyFields):
            whatHappened + (emptyFields.map { "; \($0)" } ?? "")
        case .passwordRefused(_, let emptyFields?):
            "\(whatHappened); if they are right, something else is missing: \(emptyFields)"
        case .sessionEnded: "\(whatHappened): sign in again with `oidc-preflight sign-in save`"
        case .passwordToUnknownHost, .requestToUnknownHost:
            "\(whatHappened): if it belongs to the provider, add it to sign_in.hosts"
        default: whatHappened
        }
    }

    /// What happened, for a report that shows the next step separately.
    package var whatHappened: String {
        switch self {
        case .noUsableForm(needsScript: true, _):
            "the page needs JavaScript and has no form that can be submitted without it"
        case .noUsableForm(needsScript: false, _):
            "no sign-in, consent or continuation form was recognised on the page"
        case .unsuitableForm(let objection, _):
            "the form was not treated as a sign-in form and was not submitted: \(objection.words)"
        case .errorPage(let status): "the provider returned an error page (status \(status))"
        case .sameFormAgain(let message, _):
            "the provider returned the same form after it was submitted" + (message.map { ": \($0)" } ?? "")
        case .passwordRefused(let message, nil):
            "the provider rejected the user name or the password" + (message.map { ": \($0)" } ?? "")
        case .passwordRefused(let message, _?):
            "the provider returned the form after user name and password were sent" + (message.map { ": \($0)" } ?? "")
        case .acceptedPasswordRefused(let message):
            "the provider rejects the password that it accepted earlier in the run"
                + (message.map { ": \($0)" } ?? "")
        case .signInPageRepeats:
            "the sign-in page appeared again after the password was sent, although other requests accept it"
        case .codeRefused(let message, _):
            "the one-time code was rejected; no further codes will be submitted"
                + (message.map { ": \($0)" } ?? "")
        case .passkeyRefused(let message):
            "the page still requests a passkey: the provider did not accept the one in sign_in.passkey"
                + (message.map { "; message of the page: \($0)" } ?? "")
        case .noCodeInTime: "the run ended before an unused one-time code was available"
        case .requests(let demand, _, let message):
            asked(demand) + (message.map { "; it says: \($0)" } ?? "")
        case .refusedByPage(let title, let text):
            "the page has no form to continue with; its text: " + (title.isEmpty ? "" : "\(title): ") + text
        case .signInIsOver(let reason): "the password was not sent again: \(reason)"
        case .sessionEnded: "the saved session has ended"
        case .tooManyPages(let limit): "the redirect URI was not reached within \(limit) pages"
        case .tooManySignIns(let limit):
            "sign-in limit reached (\(limit)): raise --max-sign-ins"
        case .tooManyRedirects(let limit): "more than \(limit) redirects in a row"
        case .passwordOverPlainHTTP(let host): "the password would have been sent to http://\(host), without encryption"
        case .passwordToUnknownHost(let host):
            "the password would have been sent to \(host), a host not visited before"
        case .otherRedirectURI(let location): "redirected to \(location), which is not the requested redirect URI"
        case .unusableRedirect(let location): "redirected to \(location), which is not an http or https URL"
        case .notHTML(let mediaType): "expected an HTML page, got \(mediaType ?? "a response without a media type")"
        case .requestRefused(let request, let status, let expected, let message):
            "\(request), of a step in sign_in.steps, returned status \(status); expected \(expected)"
                + (message.map { ": \($0)" } ?? "")
        case .missingValue(let placeholder):
            "a step in sign_in.steps uses \(placeholder), which has no value at this page"
        case .requestToUnknownHost(let host):
            "a step in sign_in.steps sends a request to \(host), a host not visited before"
        case .browserFailed(let reason): "the browser could not complete the sign-in: \(reason)"
        case .byHand(let stop): stop.whatHappened
        case .stepDoesNotFit(let misfit, _): "a step in sign_in.steps \(misfit.whatHappened)"
        case .samePageAgain: "the page appeared again after the requests of its step in sign_in.steps were sent"
        }
    }

    private func asked(_ demand: PageDemand) -> String {
        guard case .requests(_, true, _) = self else { return "the page requires \(demand.whatIsAsked)" }
        return "the provider returned the form again, and the page requires \(demand.whatIsAsked)"
    }
}

extension StopReason {
    /// What to do, in one or two sentences; `nil` if another step of the sign-in says it.
    package var nextStep: String? {
        switch self {
        case .noUsableForm(needsScript: true, _):
            "Add the requests that its script sends to sign_in.steps: a browser's network panel shows them."
        case .noUsableForm(needsScript: false, let emptyFields), .sameFormAgain(_, let emptyFields):
            emptyFields.map { "Fill in the missing value: \($0)." }
                ?? "Check what the page requires, and add a step to sign_in.steps (form_has, fill, press)."
        case .unsuitableForm(.mayBeSkipped(by: let button), _):
            "Choose “\(button)” once by hand as the test user. If the provider shows the page again and it is a button, press it "
                + "with a step in sign_in.steps (form_has, press)."
        case .unsuitableForm(_, let emptyFields):
            "If the page completes or changes an account, do that once by hand as the test user. If it is the sign-in page, "
                + "fill it in with a step in sign_in.steps\(emptyFields.map { ": \($0.step)" } ?? " (form_has, fill, press).")"
        case .passwordRefused(_, let emptyFields?):
            "Check the user name and the password; if they are right, something else is missing: \(emptyFields)."
        case .acceptedPasswordRefused:
            "The password is correct: the provider limits the rate or number of simultaneous sign-ins, or has locked "
                + "the account. Exempt the test user from its brute-force detection."
        case .signInPageRepeats:
            "Record at the provider that the user has signed in for this request, and redirect to the client."
        case .codeRefused(_, let difference):
            (difference.map(Self.clock) ?? "")
                + "Compare sign_in.totp with the authenticator app of the test user: the secret, digits, period and algorithm, "
                + "and this machine's clock. A code that the app or another run has already used in the same time step is rejected too."
        case .passkeyRefused:
            "Compare sign_in.passkey with what the provider stores: credential_id, user_handle, the host of rp_id, and a "
                + "sign_count above the last one it saw. A page on an IP address instead of a host name cannot use passkeys."
        case .requests(let demand, _, _): demand.nextStep.capitalizedSentence
        case .refusedByPage:
            "Give the provider's operator the message of the page."
        case .errorPage, .passwordRefused, .signInIsOver, .tooManySignIns, .noCodeInTime,
            .otherRedirectURI, .unusableRedirect:
            nil
        case .sessionEnded: "Sign in again with `oidc-preflight sign-in save`, which rewrites the file."
        case .tooManyPages:
            "Check in the report which pages repeat; a step in sign_in.steps may skip them."
        case .tooManyRedirects:
            "Open the authorization request in a browser without cookies. If it does not end there either, the provider loses "
                + "its session on the way. See its log, and the paths, hosts and SameSite of its cookies."
        case .passwordOverPlainHTTP:
            "Serve the sign-in page and its form's target over https. The password was not sent."
        case .passwordToUnknownHost(let host), .requestToUnknownHost(let host):
            "If \(host) belongs to the provider, add it to sign_in.hosts. Nothing was sent there."
        case .notHTML: "Return an HTML page here; see the exchange in the report, and the provider's log."
        case .browserFailed:
            "Run with --show-browser to watch it, and `oidc-preflight doctor` to check it. sign_in.driver: form uses no browser."
        case .byHand(let stop): stop.nextStep
        case .stepDoesNotFit(let misfit, let hasScript):
            Self.advice(misfit, hasScript: hasScript)
        case .requestRefused, .missingValue, .samePageAgain:
            "Compare the step in sign_in.steps with what a browser sends: its network panel shows the requests."
        }
    }

    private static func advice(_ misfit: StepMismatch, hasScript: Bool) -> String {
        let browser =
            hasScript
            ? " Only sign_in.driver: browser sees what a script adds." : ""
        return switch misfit {
        case .condition:
            "Compare wait_for with the page. A page changes by itself only in a browser: sign_in.driver: browser waits "
                + "for up to sign_in.page_timeout."
        case .field, .choice:
            "Compare the step in sign_in.steps with the fields of the page, which the report names." + browser
        }
    }

    /// `90 seconds`, `10 minutes`, `2 days`.
    private static func duration(_ seconds: Int) -> String {
        for (unit, length) in [("days", 86_400), ("hours", 3_600), ("minutes", 60)] where seconds >= 2 * length {
            return "\(seconds / length) \(unit)"
        }
        return seconds == 1 ? "1 second" : "\(seconds) seconds"
    }

    private static func clock(_ difference: Int) -> String {
        "The provider's clock is \(Self.duration(abs(difference))) \(difference > 0 ? "ahead of" : "behind") this machine's, which is more "
            + "than its codes allow for: set the clocks first. "
    }
}

extension String {
    /// The text as a sentence: with a capital letter and a full stop.
    fileprivate var capitalizedSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
