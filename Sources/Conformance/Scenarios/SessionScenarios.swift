/// The provider's treatment of a user who has signed in before: prompts, ages, hints.
extension Scenario {
    /// The signed-in user returns several times without any interaction.
    package static let silentReturn: Scenario = {
        var scenario = session("session.silent", "return while signed in")
        var none = AuthorizationRequest(session: .asItIs)
        none.changes = [.set("prompt", "none")]
        var hint = none
        // Not the newest: a client keeps the one that its user signed in with.
        hint.changes.append(.set("id_token_hint", .captured(.firstIDToken)))
        var posted = none
        posted.changes.append(.set("response_mode", "form_post"))
        var forged = none
        forged.changes.append(.set("id_token_hint", .captured(.forgedIDToken)))
        var unsigned = none
        unsigned.changes.append(.set("id_token_hint", .captured(.unsignedIDToken)))
        var hintAlone = AuthorizationRequest(session: .asItIs)
        hintAlone.changes = [.set("id_token_hint", .captured(.firstIDToken))]
        // A provider that sends the user to the sign-in page all the same shows that by taking the password.
        var young = AuthorizationRequest(session: .signInIfAsked)
        young.changes = [.set("max_age", "10000")]
        var elsewhere = AuthorizationRequest(session: .signInIfAsked)
        elsewhere.user = .firstElsewhere
        elsewhere.usesPOST = true
        // A provider may end this session by that sign-in; then there is nothing to compare.
        var youngAgain = AuthorizationRequest(session: .asItIs)
        youngAgain.changes = young.changes
        var contradiction = AuthorizationRequest(session: .asItIs)
        contradiction.changes = [.set("prompt", "none login")]
        var consent = AuthorizationRequest(session: .signInIfAsked)
        consent.changes = [.set("prompt", "none consent")]
        scenario.steps += [
            // A provider without sessions treats this request like every other one. If the opening request succeeded silently,
            // that is known.
            Step(
                .plain,
                "an ordinary request",
                .authorize(AuthorizationRequest(session: .signInIfAsked)),
                unlessSilent: .authorization
            ),
            Step(.promptNone, "prompt=none", .authorize(none)),
            .redeem(.promptNone),
            Step(
                .formPost,
                "prompt=none, with response_mode=form_post",
                .authorize(posted),
                requires: [.lists("response_modes_supported", "form_post")]
            ),
            Step(
                .otherTab,
                "an ordinary request, redeemed after the next one",
                .authorize(AuthorizationRequest(session: .asItIs)),
                conditions: [.codeFlow],
                ifSilent: .plain
            ),
            Step(.hint, "prompt=none with the first ID Token of the session as id_token_hint", .authorize(hint)),
            .redeem(.hint),
            Step(.otherTab.token, nil, .call(.redeemEarlierCode), conditions: [.codeFlow]),
            Step(.forgedHint, "prompt=none with an id_token_hint with an invalid signature", .authorize(forged)),
            Step(.unsignedHint, "prompt=none with an id_token_hint without a signature", .authorize(unsigned)),
            Step(
                .hintAlone,
                "the first ID Token of the session as id_token_hint, without prompt",
                .authorize(hintAlone),
                ifSilent: .plain
            ),
            // auth_time counts whole seconds: this separates the time of issue from that of the sign-in.
            Step(.tick, "more than a second", .wait(seconds: 1.1, since: .opening)),
            // If every request requires the password, this one says nothing about max_age.
            Step(.young, "max_age=10000", .authorize(young), ifSilent: .plain),
            .redeem(.young),
            Step(.noneConsent, "prompt=none consent", .authorize(consent), ifSilent: .plain),
            Step(.elsewhere, "the user signs in by POST in another browser", .authorize(elsewhere), ifSilent: .plain),
            // The code of that request, or of the ordinary one, is good for this, since nothing else is done with it.
            Step(
                .redeemTwice,
                "the code redeemed by two simultaneous requests",
                .call(EndpointCall.redeemCode.with { $0.isSentTwice = true }),
                conditions: [.codeFlow]
            ),
            Step(
                .youngAgain,
                "max_age=10000 after a sign-in in another browser",
                .authorize(youngAgain),
                ifSilent: .plain
            ),
            .redeem(.youngAgain),
            // Last, because a provider that takes it for prompt=login may end the session.
            Step(.noneLogin, "prompt=none login", .authorize(contradiction)),
        ]
        return scenario
    }()

    /// The signed-in user has to sign in again, and gets the other prompts that show a page.
    package static let signInAgain: Scenario = {
        var scenario = session("session.sign-in-again", "sign in again while signed in")
        scenario.steps += [
            Step(
                .login,
                "prompt=login, but the user does not sign in",
                .authorize(page("prompt", "login", .consentIfAsked))
            ),
            // The order of two sign-ins within one second is unknown, and some providers fail at two tokens.
            Step(.tick, "more than a second", .wait(seconds: 1.1, since: .opening)),
            // If the combined sign-in ends at the client, its parts need not be requested separately.
            Step(
                .joint,
                "prompt=login and max_age=0",
                .authorize(again([.set("prompt", "login"), .set("max_age", "0")]))
            ),
            .redeem(.joint),
            Step(.loginAlone, "prompt=login", .authorize(again([.set("prompt", "login")]))).unless(.joint),
            .redeem(.loginAlone),
            Step(.ageZeroAlone, "max_age=0", .authorize(again([.set("max_age", "0")]))).unless(.joint),
            Step(.consent, "prompt=consent, but the user does not consent", .authorize(page("prompt", "consent"))),
            Step(.tickAgain, "more than a second", .wait(seconds: 1.1, since: .signIn)),
            Step(
                .ageZero,
                "max_age=0, but the user does not sign in",
                .authorize(page("max_age", "0", .consentIfAsked))
            ),
            Step(
                .selectAccount,
                "prompt=select_account, but the user does not choose",
                .authorize(page("prompt", "select_account"))
            ),
        ]
        return scenario
    }()

    /// A sign-in that lies back longer than the request allows.
    ///
    package static let agedSession: Scenario = {
        var silentOld = AuthorizationRequest(session: .asItIs)
        silentOld.changes = [.set("prompt", "none"), .set("max_age", .age(1))]
        var old = AuthorizationRequest(session: .consentIfAsked)
        old.changes = [.set("max_age", .age(1))]
        var scenario = Scenario(id: "session.aged", title: "return after max_age has passed", tier: .full)
        scenario.conditions = [.idToken]
        scenario.steps = [
            .authorize(AuthorizationRequest(session: .shared)),
            // By whole seconds, as many providers count, two must have passed to be more than one.
            Step(.age, "more than two seconds", .wait(seconds: 2.1, since: .signIn)),
            Step(.silentOld, "prompt=none and a max_age that has passed", .authorize(silentOld)),
            Step(.old, "an exceeded max_age, and the user does not sign in", .authorize(old)),
        ]
        return scenario
    }()

    /// Two users at one provider, each in a browser of their own.
    package static let twoUsers: Scenario = {
        var scenario = session("session.two-persons", "two users sign in")
        scenario.conditions.append(.otherUser)
        var other = AuthorizationRequest(session: .signIn)
        other.user = .other
        var hinted = AuthorizationRequest(session: .asItIs)
        hinted.changes = [.set("prompt", "none"), .set("id_token_hint", .captured(.idToken))]
        scenario.steps += [
            Step(.other, "the second user signs in", .authorize(other)),
            .redeem(.other),
            Step(
                .userInfo,
                "UserInfo of the second user",
                .call(.userInfo),
                requires: ["userinfo_endpoint"],
                conditions: [.accessToken]
            ),
            Step(.hinted, "the first user returns with the second's ID Token as id_token_hint", .authorize(hinted)),
            .redeem(.hinted),
        ]
        return scenario
    }()

    /// A name of no user, so that no account is affected.
    package static let loginHint: Scenario = {
        var request = AuthorizationRequest(session: .none)
        request.changes = [.set("login_hint", "nobody@example.com")]
        return Scenario(
            id: "session.login-hint",
            title: "an authorization request with login_hint",
            tier: .unauthenticated,
            steps: [.authorize(request)]
        )
    }()

    /// Pages that are requested without a session: the user signs in first.
    package static let promptsWithoutSession: Scenario = {
        var scenario = Scenario(
            id: "session.prompts",
            title: "prompt=consent select_account without a session",
            tier: .unauthenticated
        )
        var request = AuthorizationRequest(session: .none)
        request.changes = [.set("prompt", "consent select_account")]
        scenario.steps = [.authorize(request)]
        return scenario
    }()

    static let sessions: [Scenario] = [
        silentReturn, signInAgain, agedSession, twoUsers, loginHint, promptsWithoutSession,
    ]

    private static func session(_ id: ScenarioID, _ title: String) -> Scenario {
        let request = AuthorizationRequest(session: .shared)
        var scenario = Scenario(id: id, title: title, tier: .full, steps: [.authorize(request), .redeem()])
        scenario.conditions = [.idToken]
        return scenario
    }

    private static func again(_ changes: [ParameterChange]) -> AuthorizationRequest {
        var request = AuthorizationRequest(session: .signInAgain)
        request.changes = changes
        return request
    }

    private static func page(
        _ name: String,
        _ value: String,
        _ session: AuthorizationRequest.Session = .asItIs
    ) -> AuthorizationRequest {
        var request = AuthorizationRequest(session: session)
        request.changes = [.set(name, .text(value))]
        return request
    }
}
