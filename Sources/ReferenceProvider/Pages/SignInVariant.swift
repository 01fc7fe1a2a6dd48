/// The variants of sign-in pages, and their requirements in addition to a user name and a password.
package enum SignInVariant: String, Sendable, CaseIterable {
    /// Name and password in one form.
    case plain
    /// The name first, the password on the next page.
    case twoStep = "two-step"
    /// The account first, among those that have signed in here before.
    case accountChooser = "account-chooser"
    /// An account chooser with a link for each account.
    case accountLinks = "account-links"
    /// “Stay signed in?” after the password.
    case staySignedIn = "stay-signed-in"
    /// A page after the password that a script submits.
    case selfPosting = "self-posting"
    /// New terms of use after the password, with a checkbox and a button.
    case newTerms = "new-terms"
    /// A one-time code of an authenticator app after the password.
    case totp
    /// A one-time code of an authenticator app, with one field per digit.
    case digitBoxes = "digit-boxes"
    /// The form at another host, which posts its result back to the first by script, as identity brokers do.
    case otherHost = "other-host"
    /// A code sent by text message, after the password.
    case textMessage = "text-message"
    /// A link sent by email instead of the password.
    case emailLink = "email-link"
    /// Only a passkey.
    case passkey
    /// Only other identity providers.
    case otherProvider = "other-provider"
    /// A page whose form is created by a script.
    case scriptOnly = "script-only"
    /// A page whose form is created by a script, which also submits name and password itself.
    case scriptFetch = "script-fetch"
    /// A CAPTCHA before anything else.
    case captcha
    /// Bot protection that challenges browsers.
    case botWall = "bot-wall"
    /// A page that rejects some browsers.
    case blockedAgent = "blocked-agent"
    /// An error page with status 200 and decorative scripts.
    case errorPage = "error-page"
    /// An endless redirect loop.
    case endlessRedirect = "endless-redirect"

    /// Whether another page follows name and password.
    var requestsMore: Bool {
        switch self {
        case .staySignedIn, .selfPosting, .newTerms, .totp, .digitBoxes, .otherHost, .textMessage: true
        default: false
        }
    }

    /// Whether a one-time code of an authenticator app is required.
    package var requestsCode: Bool { self == .totp || self == .digitBoxes }
}
