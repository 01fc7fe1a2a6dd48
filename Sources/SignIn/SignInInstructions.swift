import Synchronization

/// The maximum number of password submissions, over all browsers of a run.
package final class SignInBudget: Sendable {
    private struct State {
        var limit: Int
        var taken = 0
        var wasExceeded = false
    }

    private let state: Mutex<State>

    package init(limit: Int) {
        state = Mutex(State(limit: limit))
    }

    package var limit: Int { state.withLock(\.limit) }

    /// Whether more sign-ins were requested than it allows.
    package var wasExceeded: Bool { state.withLock(\.wasExceeded) }

    /// Raises the limit; true if it was lower.
    package func raise(to limit: Int) -> Bool {
        state.withLock { state in
            guard limit > state.limit else { return false }
            state.limit = limit
            return true
        }
    }

    /// Takes one of the times; false when none is left.
    func take() -> Bool {
        state.withLock { state in
            guard state.taken < state.limit else {
                state.wasExceeded = true
                return false
            }
            state.taken += 1
            return true
        }
    }
}

/// The data and steps with which the test user completes the provider's pages.
package struct SignInInstructions: Sendable {
    var username: String
    var password: Credential
    /// Steps for pages that are not recognised by themselves; they win over recognition.
    var steps: [SignInStep]
    /// Hosts, with their port where it is not the scheme's own, that belong to the provider though it does not lead there.
    var hosts: [String]

    /// Shared by all browsers in which this user signs in.
    var attempts: SignInAttempts
    /// The codes of an authenticator app, shared by all browsers as well; `nil` if its secret is not configured.
    var codes: OneTimeCodes?
    /// The driver for the pages, for all browsers; `nil` for HTML over HTTP only.
    var driving: SharedSignInDriver?
    /// The user's passkey, which requires a browser; `nil` if none is configured.
    package var passkey: Passkey?
    /// Records a user who signs in manually in the browser; then the program fills and presses nothing.
    package var recorder: SignInRecorder?
    /// A session to go on with; then name and password are written nowhere.
    package var session: SavedSession?
    /// The values of `{env:NAME}` in steps, by the names of the variables.
    package var variables: [String: Credential] = [:]

    package init(
        username: String,
        password: Credential,
        steps: [SignInStep] = [],
        hosts: [String] = [],
        attempts: SignInAttempts = SignInAttempts(),
        codes: OneTimeCodes? = nil,
        driving: SharedSignInDriver? = nil
    ) {
        self.driving = driving
        self.codes = codes
        self.username = username
        self.password = password
        self.steps = steps
        self.hosts = hosts
        self.attempts = attempts
    }

    /// The steps that fill forms, in their order.
    var formSteps: [FormStep] {
        steps.compactMap { step in
            if case .form(let form) = step { form } else { nil }
        }
    }

    /// The steps that send requests, in their order.
    var requestSteps: [RequestStep] {
        steps.compactMap { step in
            if case .requests(let requests) = step { requests } else { nil }
        }
    }
}

/// The actions at one kind of page.
package enum SignInStep: Sendable, Hashable {
    case form(FormStep)
    case requests(RequestStep)

    /// The names of the variables in its values.
    package var variables: [String] {
        switch self {
        case .form(let form): form.fill.flatMap(\.templates).flatMap(StepVariable.names)
        case .requests(let step): step.requests.flatMap(\.variables)
        }
    }

    /// Whether a one-time code is written in it.
    package var writesCode: Bool {
        switch self {
        case .form(let form): form.fill.contains { $0.templates.contains { $0.contains("{totp}") } }
        case .requests(let step): step.requests.contains(where: \.containsCode)
        }
    }
}

/// `{env:NAME}` in the value of a step: the value of the environment variable, which is a secret.
package enum StepVariable {
    static let start = "{env:"

    /// The names in a text.
    package static func names(in text: String) -> [String] {
        var names: [String] = []
        var rest = text[...]
        while let found = rest.firstRange(of: start) {
            rest = rest[found.upperBound...]
            if let name = name(before: rest) { names.append(name) }
        }
        return names
    }

    /// The name at the beginning of a text, where a brace ends it; `nil` for anything else.
    static func name(before text: Substring) -> String? {
        guard let end = text.firstIndex(of: "}") else { return nil }
        let name = text[..<end]
        let isName = name.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
        }
        return isName && !name.isEmpty ? String(name) : nil
    }
}

/// The actions for a form that has certain fields.
package struct FormStep: Sendable, Hashable {
    /// A field to fill, and the texts for it: `{username}`, `{password}` and `{totp}` represent the credentials.
    package struct Fill: Sendable, Hashable {
        var field: FieldReference
        /// One for a field; as many as are to be ticked for boxes of one name, which may be none.
        var templates: [String]

        package init(field: FieldReference, templates: [String]) {
            self.field = field
            self.templates = templates
        }

        package init(field: FieldReference, template: String) {
            self.init(field: field, templates: [template])
        }
    }

    /// A choice among several in a field: an option, a radio button, or a button of a list.
    package struct Choice: Sendable, Hashable {
        var field: FieldReference
        /// Its value or its words; `{username}` represents the user's name.
        var template: String

        package init(field: FieldReference, template: String) {
            self.field = field
            self.template = template
        }
    }

    /// A button to press, by its name and value.
    package struct Press: Sendable, Hashable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields that a form must all have for the step to match; buttons count.
    var formHas: [FieldReference]
    /// The page that the step waits at, whatever is on it; such a step has no form.
    package var page: RequestStep.Page?
    /// The conditions to wait for before the step acts.
    var waitFor: [PageCondition]
    var fill: [Fill]
    var choose: [Choice]
    package var press: [Press]
    /// The button to press, if it is not given by name and value.
    package var button: FieldReference?

    package init(
        formHas: [FieldReference],
        waitFor: [PageCondition] = [],
        fill: [Fill] = [],
        choose: [Choice] = [],
        press: [Press] = [],
        button: FieldReference? = nil
    ) {
        self.formHas = formHas
        self.waitFor = waitFor
        self.fill = fill
        self.choose = choose
        self.press = press
        self.button = button
    }

    /// Waits at a page, and then does what is done there without a step.
    package init(page: RequestStep.Page, waitFor: [PageCondition]) {
        self.init(formHas: [], waitFor: waitFor)
        self.page = page
    }

    /// The selectors in it, each as often as it is there.
    var selectors: [CSSSelector] {
        let fields = formHas + fill.map(\.field) + choose.map(\.field) + [button].compactMap(\.self)
        return fields.compactMap(\.selector) + waitFor.compactMap(\.selector)
    }
}
