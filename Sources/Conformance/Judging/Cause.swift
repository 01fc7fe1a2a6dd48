package import JSONTree

/// The first sign-in step that failed: why an ordinary scenario did not end as it should.
///
/// Checks that depend on that scenario are skipped: a rejection proves nothing if the valid request is rejected too.
package struct Cause: Sendable, Hashable, Codable {
    /// The steps of an ordinary sign-in, in order; each depends on those before it.
    package enum SignInStep: String, Sendable, Codable, CaseIterable, Comparable {
        case discovery = "discovery document"
        case keys = "key set"
        case authorizationRequest = "authorization request"
        case signIn = "sign-in"
        case clientAuthentication = "client authentication"
        case codeRedemption = "code redemption"
        case idToken = "ID Token"
        case userInfo = "UserInfo endpoint"
        /// Not a step: the run was not allowed to continue.
        case limit = "limit of the run"

        /// The step as a name in a file: `client-authentication`.
        package var key: String { rawValue.lowercased().replacing(" ", with: "-") }

        package static func < (left: SignInStep, right: SignInStep) -> Bool {
            (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
        }
    }

    package var signInStep: SignInStep
    /// Together with the step, the identity of the cause.
    var identity: Identity
    /// The failure, in one sentence.
    package var message: String
    /// The provider's own words, bounded: its error description, or the title and the text of its page.
    package var words: String?
    /// The first thing to check: a key of the configuration, or a setting at the provider.
    package var advice: String
    /// The keys of the configuration that it may be about: `client.id`.
    package var keys: [String]
    /// Those keys with file and line, where they are known.
    package var places: [String] = []
    /// The pages of the sign-in, in bounded number and size; empty without a sign-in.
    package var pages: [VisitedPage] = []
    /// Whether the configuration, or the client's registration, explains it as well as a fault of the provider does.
    ///
    /// Then the run is inconclusive. Otherwise the provider contradicts itself or a specification, and a check reports it.
    package var mayBeConfiguration: Bool
    /// The scenario in which it was seen; `nil` for a document.
    package var scenario: ScenarioID?
    /// The exchange in which it was seen.
    package var exchange: Int?

    package init(
        _ signInStep: SignInStep,
        as identity: Identity = .signInStep,
        _ message: String,
        words: String? = nil,
        advice: String,
        keys: [String] = [],
        mayBeConfiguration: Bool,
        scenario: ScenarioID? = nil,
        exchange: Int? = nil
    ) {
        self.signInStep = signInStep
        self.identity = identity
        self.message = message
        self.words = words
        self.advice = advice
        self.keys = keys
        self.mayBeConfiguration = mayBeConfiguration
        self.scenario = scenario
        self.exchange = exchange
    }
}

extension Cause {
    /// Why an ordinary scenario did not succeed; `nil` when it did, or when it did not run.
    ///
    /// - Parameters:
    ///   - run: An ordinary flow, an unchanged request without a sign-in, or a bogus code with the right secret.
    ///   - target: The configuration.
    ///   - exchange: An exchange by its identifier.
    package static func failure(
        _ run: ScenarioRun,
        _ target: Target,
        exchange: (Int) -> Exchange?
    ) -> Cause? {
        let found = authorization(run, target, exchange) ?? token(run, target) { exchange($0)?.response }
        guard var cause = found else { return nil }
        cause.scenario = run.scenario
        if cause.signInStep > .signIn { return cause }
        cause.pages = run.met ?? []
        cause.advice = cause.advice(withCookiesOf: run)
        return cause
    }

    /// Why credentials are not sent that the token endpoint has rejected.
    package static let refusedBefore =
        "the token endpoint has rejected this client before, and its credentials were not sent again"

    /// Why an ordinary scenario ended before the client's credentials would have been sent again; `nil` when it did not.
    package static func ofRefusedClient(_ run: ScenarioRun) -> Cause? {
        guard run.isWithoutToken else { return nil }
        return Cause(
            .clientAuthentication,
            as: .withheld,
            refusedBefore,
            advice: "Compare client.secret and client.authentication with the registration at the provider.",
            mayBeConfiguration: true,
            scenario: run.scenario
        )
    }

    /// Why an ordinary scenario ended before the password would have been sent; `nil` when it did not.
    package static func passwordWithheld(_ run: ScenarioRun) -> Cause? {
        guard case .notAttempted(let why) = run.authorization, run.passwordWasWithheld else { return nil }
        return Cause(
            .signIn,
            as: .withheld,
            why.text,
            advice: "Fix the sign-in that failed first.",
            mayBeConfiguration: true,
            scenario: run.scenario
        )
    }

    /// The cause if the document states an issuer that differs from the configured one by a trailing slash or by letter case;
    /// `nil` for any other.
    ///
    /// Both have one address and are two issuers (Discovery section 4.3). Only the user can decide which of them is meant, and
    /// no client or user credentials are sent before.
    package static func ofSpelling(_ issuer: String, statedBy metadata: JSONObject?) -> Cause? {
        func address(_ issuer: String) -> String {
            String(issuer.lowercased().reversed().drop { $0 == "/" }.reversed())
        }
        guard let stated = metadata?["issuer"]?.stringValue, stated != issuer, address(stated) == address(issuer) else {
            return nil
        }
        return Cause(
            .discovery,
            as: .spelling,
            "The discovery document at issuer \(issuer.quoted) states issuer \(stated.quoted). The run did not "
                + "sign in and sent no secret.",
            advice: "Configure issuer: \(stated.shown()), if the ID Tokens state it too; "
                + "otherwise correct the document.",
            keys: ["issuer"],
            mayBeConfiguration: true
        )
    }

    /// Documents that did not arrive or belong to another issuer, and limits that were reached.
    static func ofDocumentsAndLimits(_ evidence: Evidence, _ metadata: Metadata?) -> [Cause] {
        var causes: [Cause] = []
        // The run of an earlier version, or one that needs no document, has sent its requests.
        let hasResponse = evidence.runs.contains { run in run.steps.contains { $0.outcome.value != nil } }
        if !evidence.runs.isEmpty, !hasResponse,
            let cause = ofSpelling(evidence.target.issuer, statedBy: metadata?.object)
        {
            causes.append(cause)
        }
        let documents: [(SignInStep, Observation<Document>, [Int], String)] = [
            (.discovery, evidence.discovery, evidence.discoveryHops, "issuer"),
            (.keys, evidence.keys, evidence.keysHops, "jwks_uri"),
        ]
        for (signInStep, document, hops, name) in documents {
            if signInStep == .discovery, document.value != nil, let exchange = evidence.exchange(hops.last),
                let status = exchange.response?.status, isForNow(status)
            {
                causes.append(
                    Cause(
                        signInStep,
                        as: .notNow(status: status),
                        "The \(signInStep.rawValue) returns status \(status), a temporary error.",
                        advice: overloadAdvice,
                        keys: ["network"],
                        mayBeConfiguration: true,
                        exchange: exchange.id
                    )
                )
            }
            guard case .absent(let why) = document, let exchange = evidence.exchange(hops.last),
                let failure = exchange.failure, failure.kind != .notSent
            else { continue }
            causes.append(
                Cause(
                    signInStep,
                    as: .unanswered(failure.kind),
                    why.text,
                    advice: adviceWithoutAnswer(to: exchange, in: evidence, from: name),
                    keys: ["issuer"],
                    mayBeConfiguration: true,
                    exchange: exchange.id
                )
            )
        }
        let limits = evidence.limitsReached ?? []
        return causes
            + limits.map { Cause(.limit, as: .limit, $0.message, advice: $0.advice, mayBeConfiguration: true) }
    }

    // MARK: The authorization endpoint

    private static func authorization(
        _ run: ScenarioRun,
        _ target: Target,
        _ exchange: (Int) -> Exchange?
    ) -> Cause? {
        switch run.authorization {
        case .notAttempted: return nil
        case .absent(let why):
            let failure = (run.visits.last?.exchange).flatMap(exchange)?.failure
            var cause = unfinished(run, because: why.text, failure)
            if why.kind == .limit { cause.identity = .limit }
            if why.kind == .interrupted || failure?.kind == .cancelled { cause.advice = "Run the command again." }
            return cause
        case .observed(let answer):
            switch answer.ending {
            case .page(let page):
                // Without a sign-in, an ordinary request ends at the sign-in page.
                guard page.isError else { return nil }
                return refusal(by: page, answer.exchange, run)
            case .redirected(let redirect):
                guard redirect.isRedirectURI, let error = redirect.error else { return nil }
                return refusal(by: redirect, error, answer.exchange, run, target)
            }
        }
    }

    private static func refusal(by page: PageSummary, _ exchange: Int, _ run: ScenarioRun) -> Cause {
        // A rejection of the pushed request (RFC 9126 section 2.3).
        if let error = page.pushError, !isForNow(page.status) {
            return Cause(
                .authorizationRequest,
                as: error.isEmpty ? .page(status: page.status, title: nil) : .error(error),
                "The provider rejects the ordinary pushed authorization request with "
                    + (error.isEmpty ? "status \(page.status)." : "the error \(error.quoted)."),
                words: page.words,
                advice: advice(for: error, run),
                keys: keys(for: error, run),
                mayBeConfiguration: page.status < 500,
                exchange: exchange
            )
        }
        return Cause(
            .authorizationRequest,
            as: isForNow(page.status) ? .notNow(status: page.status) : .page(status: page.status, title: page.title),
            isForNow(page.status)
                ? "The provider returns "
                    + (page.status == 429 ? "“too many requests”" : "“temporarily unavailable”")
                    + " for the ordinary authorization request (status \(page.status))."
                : "The provider rejects the ordinary authorization request with \(page.named), status \(page.status).",
            words: message(of: page, run),
            advice: isForNow(page.status) ? overloadAdvice : registrationAdvice(run),
            keys: isForNow(page.status) ? ["network"] : ["client.id", "redirect_uri"],
            // A server error is not the client's (RFC 9110 section 15.6), unless the page names the request's error.
            mayBeConfiguration: page.status < 500 || isForNow(page.status) || page.namesRequestError,
            exchange: exchange
        )
    }

    /// Whether a status is a temporary error.
    static func isForNow(_ status: Int) -> Bool { Exchange.Response.whyNotNow(status) != nil }

    static let overloadAdvice =
        "Wait until the provider accepts requests again, and send fewer at a time: network.concurrency: 1, network.pause."

    private static func registrationAdvice(_ run: ScenarioRun) -> String {
        "Compare client.id and redirect_uri with the registration at the provider: client \(run.clientID.quoted)"
            + (run.sentParameter("redirect_uri").map { " and redirect URI \($0.quoted)" } ?? "")
            + ". Both must match exactly, including a trailing slash."
    }

    /// The page's own message, without the words that it shares with the page before; else the beginning of its text.
    private static func message(of page: PageSummary, _ run: ScenarioRun) -> String? {
        let met = run.met?.last.flatMap { $0.status == page.status && $0.title == page.title ? $0.message : nil }
        return met?.shown(limit: 1_000) ?? page.words
    }

    /// A sign-in that did not return to the client.
    private static func unfinished(
        _ run: ScenarioRun,
        because why: String,
        _ failure: Exchange.Failure?
    ) -> Cause {
        let last = run.visits.last
        let hasFilled = run.visits.contains { !$0.filled.isEmpty }
        guard let page = last?.page else {
            // A failure common to all flows is reported once, so without the flow's name.
            let step = Scenario.flow(run.responseType).title + ": "
            let reason = why.hasPrefix(step) ? String(why.dropFirst(step.count)) : why
            return Cause(
                hasFilled ? .signIn : .authorizationRequest,
                as: failure?.kind == .notSent ? .limit : .unanswered(failure?.kind),
                run.visits.isEmpty
                    ? reason.prefix(1).uppercased() + reason.dropFirst().withoutFullStop + "."
                    : "The sign-in was not completed: \(reason)",
                advice: adviceAfter(failure),
                mayBeConfiguration: true,
                exchange: last?.exchange
            )
        }
        if page.isByHand == true { return byHand(page, because: why, last?.exchange) }
        // Some providers check client and redirect URI only after the sign-in.
        let isError = page.isError && (page.nextStep == nil || page.isRejection)
        if !hasFilled, isError { return refusal(by: page, last?.exchange ?? 0, run) }
        let isRefused = page.refusesCredentials == true
        return Cause(
            .signIn,
            as: isRefused
                ? .refusedPassword
                : .stopped(status: page.status, title: page.title, fields: page.forms.map(\.fields)),
            isRefused
                ? "The provider rejects the user name or the password."
                : "The sign-in stopped at \(page.named): \((page.stopped ?? why).withoutFullStop).",
            // Credentials that an earlier run has seen rejected are not sent again.
            words: isRefused && !hasFilled ? nil : message(of: page, run),
            advice: isRefused
                ? "Check sign_in.username and the password. The password was sent only once, so that the account is not locked."
                : isError
                    ? "If the page names the client or its redirect URI: " + registrationAdvice(run)
                        + " Otherwise add the input that it requires to sign_in.steps."
                    : page.nextStep ?? "Add the input that the page requires to sign_in.steps.",
            keys: isRefused
                ? ["sign_in.username", "sign_in.password"]
                : isError
                    ? ["client.id", "redirect_uri", "sign_in"]
                    : page.isAboutCode == true ? ["sign_in.totp", "sign_in"] : ["sign_in"],
            mayBeConfiguration: page.status < 500 || page.nextStep != nil || page.namesRequestError,
            exchange: last?.exchange
        )
    }

    /// Whether the provider rejects the request itself, and not the number of requests.
    var isRefusal: Bool {
        switch identity {
        case .error, .page, .stopped: true
        default: false
        }
    }

    /// Whether the user's credentials are rejected.
    package var isRefusedPassword: Bool { identity == .refusedPassword }

    // MARK: The token endpoint

    private static func token(
        _ run: ScenarioRun,
        _ target: Target,
        response: (Int) -> Exchange.Response?
    ) -> Cause? {
        guard case .observed(let answer) = run.token, let response = response(answer.exchange) else { return nil }
        let status = response.status
        let error = answer.body.json?["error"]?.stringValue
        let method = target.client(for: run.responseType)?.authentication.rawValue ?? "its method"
        if Outcome.refusesClient(status: status, error: error) {
            return Cause(
                .clientAuthentication,
                as: .refusedClient(run.clientID, method: method, status: status, error: error),
                "The token endpoint rejects client \(run.clientID.quoted) with \(method) (status \(status)"
                    + (error.map { ", \($0.shown(limit: 60))" } ?? "") + ").",
                words: answer.words,
                advice: credentialAdvice(target.client(for: run.responseType)) + ".",
                keys: credentialKeys(target.client(for: run.responseType)),
                mayBeConfiguration: true,
                exchange: answer.exchange
            )
        }
        // A rejected bogus code is the expected result, unless the error is about the proof beside it.
        let isFresh = run.authorization.value != nil
        // Some providers return errors with a success status, as JSON or on a page.
        var isPage = false
        if case .text(let text) = answer.body { isPage = text.first { !$0.isWhitespace } == "<" }
        let isGranted = response.grants(answer.body.json) && !isPage
        guard isFresh || error.map(proofErrors.contains) == true, !isGranted else { return nil }
        return Cause(
            .codeRedemption,
            as: .noTokens(status: status, error: error),
            "The token endpoint \(isFresh ? "issues no tokens for a fresh code" : "rejects a token request") (status \(status)"
                + (error.map { ", \($0.shown(limit: 60))" } ?? "") + ").",
            words: answer.words,
            advice: redemptionAdvice(run, status, error),
            // Some providers reject a wrong secret as forbidden, with an error of their own.
            mayBeConfiguration: error == "unauthorized_client" || isForNow(status)
                || status == 403 && error != "invalid_grant",
            exchange: answer.exchange
        )
    }
}

extension Cause {
    // MARK: After the sign-in

    /// Why the tokens of the signed-in user cannot be trusted or used; `nil` when they can.
    ///
    /// Nothing waits for it: earlier rejections were independent.
    ///
    /// - Parameters:
    ///   - run: An ordinary flow that came to its end.
    ///   - hasKeys: Whether the key set could be read.
    ///   - evidence: The collected evidence.
    static func afterSignIn(_ run: ScenarioRun, hasKeys: Bool, in evidence: Evidence) -> Cause? {
        let client = evidence.target.client(for: run.responseType)
        var cause = unreadIDToken(run, client) ?? (hasKeys ? idToken(run) : nil)
        cause = cause ?? unreadUserInfo(run) ?? userInfo(run, in: evidence)
        cause?.scenario = run.scenario
        return cause
    }

    /// An encrypted ID Token, if no key decrypts it: a provider encrypts for a key that the client registered.
    private static func unreadIDToken(_ run: ScenarioRun, _ client: Client?) -> Cause? {
        guard let step = run.steps.first(where: { $0.idToken?.partCount == 5 }), let token = step.idToken,
            token.isJWE || client?.idTokenEncryptedResponseAlg != nil || client?.decryptionKeyThumbprint != nil
        else { return nil }
        return unread("ID Token", token, .idToken, step.exchange)
    }

    /// A UserInfo response that is encrypted, if no key decrypts it (Core section 5.3.2).
    private static func unreadUserInfo(_ run: ScenarioRun) -> Cause? {
        guard let answer = run.userInfo.value, let token = answer.jwt, token.partCount == 5 else { return nil }
        return unread("UserInfo response", token, .userInfo, answer.exchange)
    }

    private static func unread(_ what: String, _ token: TokenFacts, _ step: SignInStep, _ exchange: Int?) -> Cause {
        let reason =
            token.encryption?.failure.map { "client.decryption_key does not decrypt it: \($0.shown())" }
            ?? "the configuration has no key to decrypt it"
        return Cause(
            step,
            "The \(what) is encrypted, and \(reason).",
            advice:
                "Configure client.decryption_key: { file: client-key.pem }, the private key whose public key is registered.",
            mayBeConfiguration: true,
            exchange: exchange
        )
    }

    private static func idToken(_ run: ScenarioRun) -> Cause? {
        let unverified = run.steps.first { step in
            guard let token = step.idToken, token.partCount == 3, token.encryption?.failure == nil,
                let alg = token.header?.json?["alg"]?.stringValue
            else { return false }
            // A symmetric signature takes the client's secret, and none is a matter of its own (Core section 10.1).
            return !alg.hasPrefix("HS") && alg != "none" && !token.trials.contains(where: \.isVerified)
        }
        guard let unverified else { return nil }
        return Cause(
            .idToken,
            "No published key verifies the signature of the ID Token.",
            advice:
                "Compare the keys at jwks_uri with the signing key; the key set may come from another instance.",
            mayBeConfiguration: false,
            exchange: unverified.exchange
        )
    }
}

extension Target {
    /// Whether the configuration removes PKCE from a request that would otherwise have it.
    func leavesOutPKCE(_ run: ScenarioRun) -> Bool {
        client(for: run.responseType)?.sendsPKCE == false && run.sentParameter("code_challenge") == nil
    }
}

extension StringProtocol {
    /// The text without the full stop that a sentence of the provider's may end with.
    var withoutFullStop: String { String(hasSuffix(".") ? dropLast() : self[...]) }
}

extension EndpointAnswer {
    /// The message of an error response: that of its JSON, or the text of its page; the error code is reported beside it.
    package var words: String? {
        if let json = body.json {
            let message = json.errorMessage
            return message == json["error"]?.stringValue ? nil : message?.shown(limit: 1_000)
        }
        guard case .text(let text) = body else { return nil }
        // The beginning is enough, and a hostile page costs no time.
        let words = text.prefix(4_000)
            .replacing(/<(style|script)\b.*?<\/\1>|<[^>]*>/.dotMatchesNewlines().ignoresCase(), with: " ")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : words.shown(limit: 1_000)
    }
}
