/// How the test user gets through the provider's pages.
package struct SignInInstructions: Sendable {
    package var username: String
    package var password: Credential
    /// Steps for forms that are not recognised by themselves; they win over recognition.
    package var steps: [SignInStep]

    package init(username: String, password: Credential, steps: [SignInStep] = []) {
        self.username = username
        self.password = password
        self.steps = steps
    }
}

/// What to do with a form that has certain fields.
package struct SignInStep: Sendable, Hashable {
    /// A field to fill, and the text for it: `{username}` and `{password}` stand for the credentials.
    package struct Fill: Sendable, Hashable {
        package var field: String
        package var template: String

        package init(field: String, template: String) {
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

    /// The names that a form must all have for the step to be for it; buttons count.
    package var formHas: [String]
    package var fill: [Fill]
    package var press: [Press]

    package init(formHas: [String], fill: [Fill] = [], press: [Press] = []) {
        self.formHas = formHas
        self.fill = fill
        self.press = press
    }
}
