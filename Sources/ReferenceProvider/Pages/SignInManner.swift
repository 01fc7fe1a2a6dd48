/// How people sign in at a provider: what its pages are like, and what they want beside a name and a password.
package enum SignInManner: String, Sendable, CaseIterable {
    /// Name and password in one form.
    case plain
    /// The name first, the password on the next page.
    case twoStep = "two-step"
    /// The account first, among those that have signed in here before.
    case accountChooser = "account-chooser"
    /// The same, with a link for each account.
    case accountLinks = "account-links"
    /// “Stay signed in?” behind the password.
    case staySignedIn = "stay-signed-in"
    /// A page behind the password that a script sends on.
    case selfPosting = "self-posting"
    /// New terms of use behind the password, with a box and a button.
    case newTerms = "new-terms"
    /// A one-time code of an authenticator app behind the password.
    case totp
    /// The same, with a box for each of its digits.
    case digitBoxes = "digit-boxes"
    /// The form at another host, which posts what it found back to the first by a form that a script sends on, as bridges do.
    case otherHost = "other-host"
    /// A code behind the password that was sent by text message.
    case textMessage = "text-message"
    /// A link by e-mail in the place of the password.
    case emailLink = "email-link"
    /// Nothing but a passkey.
    case passkey
    /// Nothing but other identity providers.
    case otherProvider = "other-provider"
    /// A page whose form is made by a script.
    case scriptOnly = "script-only"
    /// A page whose form is made by a script, which also sends name and password by itself.
    case scriptFetch = "script-fetch"
    /// A CAPTCHA before anything else.
    case captcha
    /// A wall that has browsers prove themselves.
    case botWall = "bot-wall"
    /// A page that lets certain browsers in only.
    case blockedAgent = "blocked-agent"
    /// An error page with status 200, and scripts that decorate it.
    case errorPage = "error-page"
    /// Redirects without end.
    case endlessRedirect = "endless-redirect"

    /// Whether name and password open the next page and not the door.
    var asksForMore: Bool {
        switch self {
        case .staySignedIn, .selfPosting, .newTerms, .totp, .digitBoxes, .otherHost, .textMessage: true
        default: false
        }
    }

    /// Whether a one-time code of an authenticator app is asked for.
    package var asksForCode: Bool { self == .totp || self == .digitBoxes }
}
