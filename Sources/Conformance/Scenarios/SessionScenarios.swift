/// What the provider makes of a person who has signed in before: prompts, ages, hints.
extension Scenario {
    /// The signed-in person comes back several times without having to do anything.
    package static let silentReturn: Scenario = {
        var scenario = session("session.silent", "come back while signed in")
        var none = AuthorizationRequest(session: .asItIs)
        none.changes = [.set("prompt", "none")]
        none.redeemsCode = true
        var hint = none
        hint.changes.append(.set("id_token_hint", .held(.idToken)))
        var forged = none
        forged.changes.append(.set("id_token_hint", .held(.forgedIDToken)))
        forged.redeemsCode = false
        // Whoever is sent to the sign-in page all the same shows that by signing in.
        var young = AuthorizationRequest(session: .signInIfAsked)
        young.changes = [.set("max_age", "10000")]
        young.redeemsCode = true
        var contradiction = AuthorizationRequest(session: .signInIfAsked)
        contradiction.changes = [.set("prompt", "none login")]
        scenario.sequels = [
            Sequel("none", "prompt=none", .authorize(none)),
            Sequel("hint", "prompt=none with the ID Token as id_token_hint", .authorize(hint)),
            Sequel("forged-hint", "prompt=none with an id_token_hint whose signature is spoilt", .authorize(forged)),
            tick,
            Sequel("young", "max_age=10000", .authorize(young)),
            // Last, because a provider that takes it for prompt=login begins a session anew.
            Sequel("none-login", "prompt=none login", .authorize(contradiction)),
        ]
        return scenario
    }()

    /// The signed-in person is made to sign in again, and asked in the other ways that show a page.
    package static let signInAgain: Scenario = {
        var scenario = session("session.sign-in-again", "sign in again although signed in")
        scenario.sequels = [
            tick,
            Sequel("login", "prompt=login", .authorize(again("prompt", "login"))),
            Sequel("tick-again", "a second and more", .wait(seconds: 1.1)),
            Sequel("age-zero", "max_age=0, and nobody to sign in", .authorize(page("max_age", "0"))),
            Sequel("consent", "prompt=consent, and nobody to allow it", .authorize(page("prompt", "consent"))),
            Sequel(
                "select-account",
                "prompt=select_account, and nobody to choose",
                .authorize(page("prompt", "select_account"))
            ),
        ]
        return scenario
    }()

    /// A sign-in that lies back longer than the request allows.
    package static let agedSession: Scenario = {
        var scenario = session("session.aged", "come back when the sign-in is too old")
        scenario.sequels = [
            // By whole seconds, as many providers count, two must have passed to be more than one.
            Sequel("age", "two seconds and more", .wait(seconds: 2.1)),
            Sequel("old", "max_age=1", .authorize(again("max_age", "1"))),
        ]
        return scenario
    }()

    /// Two persons at one provider, each in a browser of their own.
    package static let twoPersons: Scenario = {
        var scenario = session("session.two-persons", "two persons sign in")
        scenario.conditions.append(.otherPerson)
        var other = AuthorizationRequest(session: .signIn)
        other.person = .other
        other.redeemsCode = true
        var hinted = AuthorizationRequest(session: .asItIs)
        hinted.changes = [.set("prompt", "none"), .set("id_token_hint", .held(.idToken))]
        hinted.redeemsCode = true
        scenario.sequels = [
            Sequel("other", "the second person signs in", .authorize(other)),
            Sequel(
                "user-info",
                "UserInfo of the second person",
                .call(.userInfo),
                requires: ["userinfo_endpoint"],
                conditions: [.otherEmailUnverified, .accessToken]
            ),
            Sequel("hinted", "the first comes back with the second's ID Token as id_token_hint", .authorize(hinted)),
        ]
        return scenario
    }()

    /// A name that nobody has, so that no account is touched.
    package static let loginHint: Scenario = {
        var request = AuthorizationRequest(session: .none)
        request.changes = [.set("login_hint", "nobody@example.com")]
        return Scenario(
            id: "session.login-hint",
            title: "an authorization request with login_hint",
            tier: .unauthenticated,
            kind: .authorization(request)
        )
    }()

    static let sessions: [Scenario] = [silentReturn, signInAgain, agedSession, twoPersons, loginHint]

    /// auth_time counts whole seconds: two sign-ins within one cannot be told apart.
    private static let tick = Sequel("tick", "a second and more", .wait(seconds: 1.1))

    private static func session(_ id: ScenarioID, _ title: String) -> Scenario {
        var request = AuthorizationRequest(session: .shared)
        request.redeemsCode = true
        var scenario = Scenario(id: id, title: title, tier: .full, kind: .authorization(request))
        scenario.conditions = [.idToken]
        return scenario
    }

    private static func again(_ name: String, _ value: String) -> AuthorizationRequest {
        var request = AuthorizationRequest(session: .signInAgain)
        request.changes = [.set(name, .text(value))]
        request.redeemsCode = true
        return request
    }

    private static func page(_ name: String, _ value: String) -> AuthorizationRequest {
        var request = AuthorizationRequest(session: .asItIs)
        request.changes = [.set(name, .text(value))]
        return request
    }
}
