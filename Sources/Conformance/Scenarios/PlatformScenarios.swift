/// Requests of applications of single platforms, as shown in the platforms' documentation.
extension Scenario {
    /// The custom parameters that the documentation of Firebase shows for Microsoft; `tenant` never reaches the provider.
    package static let microsoftParameters = documented(
        "platform.microsoft-parameters",
        "the custom parameters that applications send to Microsoft",
        [("prompt", "consent"), ("login_hint", "nobody@example.com")]
    )

    /// Likewise for Yahoo.
    package static let yahooParameters = documented(
        "platform.yahoo-parameters",
        "the custom parameters that applications send to Yahoo",
        [("prompt", "login"), ("language", "fr")]
    )

    /// Likewise for GitHub.
    package static let gitHubParameters = documented(
        "platform.github-parameters",
        "the custom parameters that applications send to GitHub",
        [("allow_signup", "false")]
    )

    /// The request with a PKCE challenge, whatever the platform sends and whatever the other requests leave out.
    package static let withPKCE: Scenario = {
        var request = AuthorizationRequest(responseType: "code", session: .none)
        request.changes = [
            .set("code_challenge", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"),
            .set("code_challenge_method", "S256"),
        ]
        var scenario = Scenario(
            id: "platform.with-pkce",
            title: "an authorization request of the code flow with a PKCE challenge",
            tier: .unauthenticated,
            steps: [.authorize(request)]
        )
        scenario.conditions = [.codeFlow]
        return scenario
    }()

    /// ``asThePlatformSends`` while the user is signed in, with the code redeemed as the platform does.
    ///
    /// A provider may request the sign-in before it checks the request, and the verifier only when it gets the code.
    package static let platformSignIn = codeFlow(
        "probe.platform-sign-in",
        "a sign-in with the request of the relying platform",
        redeemsCode: true
    ) { $0.isAsThePlatformSends = true }

    /// The scenarios whose requests depend on whether the platform sends PKCE.
    package static let asThePlatform = [asThePlatformSends, platformSignIn]

    static let platforms: [Scenario] = [
        platformSignIn, microsoftParameters, yahooParameters, gitHubParameters, withPKCE,
    ]

    /// One request for each parameter, without a sign-in: the sign-in page is as valid a response as any.
    private static func documented(
        _ id: ScenarioID,
        _ title: String,
        _ parameters: [(name: String, value: String)]
    ) -> Scenario {
        var scenario = emptyScenario(id, title, .unauthenticated)
        scenario.steps = parameters.map { name, value in
            var request = AuthorizationRequest(session: .none)
            request.changes = [.set(name, .text(value))]
            return Step(StepID(name), "\(name)=\(value)", .authorize(request))
        }
        return scenario
    }
}
