import Conformance
import JOSE
import OAuth1
import SignIn
import Transport

/// A sign-in with OAuth 1.0, from temporary credentials to the provider's API (RFC 5849 section 2).
///
/// Every step records its result in the run. Results that depend on a failed step are absent, with that step's reason.
struct OAuth1Exchange: Sendable {
    let collection: Collection
    let client: Client
    let secret: Secret
    let redirectURI: String
    let addresses: OAuth1Addresses

    var http: RecordingClient { collection.http }
    var options: CollectorOptions { collection.options }

    func perform(_ run: inout OAuth1Run) async {
        await requestTemporaryCredentials(&run)
        guard collection.plan.needs.contains(.oauth1(.signIns)) else { return }
        guard collection.instructions != nil else {
            let why = "no sign_in in the configuration"
            for path in [\OAuth1Run.first, \.second, \.custom] { run[keyPath: path] = OAuth1Session(because: why) }
            return
        }
        await signInAndTry(&run)
        let browser = collection.newBrowser()
        var second = OAuth1SignIn(name: "second session")
        await go(&second, browser)
        await redeem(&second)
        run.second = second.session
        var custom = OAuth1SignIn(name: "with custom parameters")
        custom.parameters = customParameters
        await go(&custom, browser)
        custom.session.wrongVerifier = await redeemed(custom, verifier: Secret("preflight-wrong-" + Self.nonce()))
        run.custom = custom.session
    }

    // MARK: Temporary credentials

    /// The valid request, the same again, one with a bad signature, and one with another callback.
    private func requestTemporaryCredentials(_ run: inout OAuth1Run) async {
        let callback = Field("oauth_callback", redirectURI)
        var request = OAuth1Request(.requestToken, "request for temporary credentials", more: [callback])
        request.nonce = Self.nonce()
        request.timestamp = timestamp
        run.temporary = await send(request).observation
        request.step = "the same request again"
        run.replayed = await send(request).observation
        request = OAuth1Request(.requestToken, "request with a wrong signature", more: [callback])
        request.isForged = true
        run.badlySigned = await send(request).observation
        let foreign = Field("oauth_callback", Scenario.foreignRedirectURI)
        request = OAuth1Request(.requestToken, "request with a callback that is not registered", more: [foreign])
        run.foreignCallback = await send(request).observation
    }

    // MARK: Sessions

    /// One sign-in through the provider's pages, with its results.
    private struct OAuth1SignIn {
        var name: String
        /// Parameters added to the address of the pages.
        var parameters: [Field] = []
        var session = OAuth1Session(because: "the step before it failed")
        /// Temporary credentials, then token credentials.
        var temporary: TokenCredentials?
        var verifier: Secret?
        var token: TokenCredentials?
    }

    /// The first sign-in, and all further requests once it has returned token credentials.
    private func signInAndTry(_ run: inout OAuth1Run) async {
        var way = OAuth1SignIn(name: "first session")
        await go(&way, collection.newBrowser())
        await redeem(&way)
        if let token = way.token {
            var call = OAuth1Request(.user, "first session: user API", token: token)
            call.method = "GET"
            call.query = [Field("include_email", "true"), Field("skip_status", "true")]
            way.session.user = await send(call).observation
            call.step = "first session: user API without the token's secret"
            call.token = TokenCredentials(identifier: token.identifier, secret: Secret(""))
            way.session.userWithoutSecret = await send(call).observation
            way.session.reused = await redeemed(way, verifier: way.verifier, step: "the same token request again")
        }
        run.first = way.session
    }

    /// From temporary credentials to the callback.
    private func go(_ way: inout OAuth1SignIn, _ browser: SignInSession) async {
        let callback = Field("oauth_callback", redirectURI)
        let temporary = await send(
            OAuth1Request(.requestToken, "\(way.name): request for temporary credentials", more: [callback])
        )
        way.session.temporary = temporary.observation
        way.temporary = temporary.credentials
        guard let credentials = temporary.credentials else {
            let why = "\(way.name): no temporary credentials were issued"
            way.session.authorization = .absent(why)
            way.session.token = .absent(why)
            return
        }
        let token = Field("oauth_token", credentials.identifier.reveal())
        let arrival = await visit(way.name, [token] + way.parameters, browser, &way.session)
        way.session.sent = [Field("oauth_token", Redactor.placeholder("oauth_token", token.value))] + way.parameters
        way.session.authorization = arrival.answer
        if let returned = arrival.parameters["oauth_token"] { way.session.returnsToken = returned == token.value }
        way.verifier = arrival.parameters["oauth_verifier"].flatMap { $0.isEmpty ? nil : Secret($0) }
        guard way.verifier == nil else { return }
        way.session.token =
            switch arrival.answer {
            case .observed: .absent("\(way.name): no verification code was returned")
            case .absent(let why): .absent(why)
            case .notAttempted(let why): .notAttempted(why)
            }
    }

    private func redeem(_ way: inout OAuth1SignIn) async {
        guard way.verifier != nil, way.temporary != nil else { return }
        let answered = await send(tokenRequest(way, verifier: way.verifier, step: "\(way.name): token request"))
        way.session.token = answered.observation
        way.token = answered.credentials
    }

    /// A token request that is expected to fail.
    private func redeemed(
        _ way: OAuth1SignIn,
        verifier: Secret?,
        step: String = "token request with a wrong verification code"
    ) async -> Observation<OAuth1Answer> {
        // Without the right code the provider would reject it for that reason only.
        guard way.verifier != nil, way.temporary != nil else {
            return .absent("\(way.name): no verification code was returned")
        }
        if let verifier { await http.recorder.learn("oauth_verifier", verifier.reveal(), .token) }
        return await send(tokenRequest(way, verifier: verifier, step: step)).observation
    }

    private func tokenRequest(_ way: OAuth1SignIn, verifier: Secret?, step: String) -> OAuth1Request {
        let more = verifier.map { [Field("oauth_verifier", $0.reveal())] } ?? []
        return OAuth1Request(.accessToken, step, token: way.temporary, more: more)
    }

    // MARK: Values

    /// The language of the pages, which is documented, and what is configured; the platform drops reserved names.
    private var customParameters: [Field] {
        let reserved = collection.plan.profile.parameters[.reservedParameters] ?? []
        let own = collection.plan.target.customParameters.filter { !reserved.contains($0.name) }
        return own.contains { $0.name == "lang" } ? own : [Field("lang", "en")] + own
    }

    var timestamp: Int { Int(options.clock.now()) }

    /// A value that no other request has (section 3.3), of letters and digits: some servers accept nothing else.
    static func nonce() -> String {
        Hashes.randomBytes(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
