internal import Conformance
internal import Preflight
internal import Profiles

extension Preflight {
    /// Judges one ID Token: its signature, its claims, and what a platform demands of both.
    ///
    /// Nothing is sent.
    ///
    /// - Parameters:
    ///   - token: The token in compact form.
    ///   - issuer: The issuer as it is registered.
    ///   - clientID: The client that the token is for.
    ///   - keys: The issuer's key set as JSON; `nil` leaves the signature unjudged.
    ///   - clientSecret: The client's secret, for a signature by HS256, HS384 or HS512.
    ///   - nonce: The one that was sent, if one was.
    ///   - accessToken: The access token that came with it, for `at_hash`.
    ///   - code: The code that came with it, for `c_hash`.
    ///   - profile: Whose rules it is judged by.
    ///   - time: When it arrived, in seconds since 1970.
    /// - Throws: What is wrong with the call; a broken token is a finding and no error.
    public static func judge(
        idToken token: Secret,
        issuer: String,
        clientID: String,
        keys: String?,
        clientSecret: Secret? = nil,
        nonce: String? = nil,
        accessToken: Secret? = nil,
        code: Secret? = nil,
        profile: Profile.Name = .openid,
        at time: Double
    ) throws(Mistake) -> Report {
        let handed = HandedToken(
            token: token.kept,
            issuer: issuer,
            clientID: clientID,
            clientSecret: clientSecret?.kept,
            nonce: nonce,
            accessToken: accessToken?.kept,
            code: code?.kept,
            receivedAt: time
        )
        let evidence = PreflightRun.tokenEvidence(handed, keys: keys.map { ("keys", Array($0.utf8)) })
        return try judged(
            evidence,
            by: profile,
            only: PreflightRun.tokenChecks,
            tier: .full,
            secrets: handed.secrets,
            now: time
        )
    }

    /// Judges a discovery document, a key set or both before they are deployed.
    ///
    /// Nothing is sent.
    ///
    /// - Parameters:
    ///   - discovery: The document as JSON.
    ///   - keys: The key set as JSON.
    ///   - issuer: The issuer as it is to be registered; the one that the document states when `nil`.
    ///   - profile: Whose rules they are judged by.
    ///   - time: Seconds since 1970.
    /// - Throws: What is wrong with the call: neither document was given, or one is the other. A broken document is a finding.
    public static func judge(
        discovery: String?,
        keys: String?,
        issuer: String? = nil,
        profile: Profile.Name = .openid,
        at time: Double
    ) throws(Mistake) -> Report {
        let documents: LintDocuments
        do throws(ConfigurationError) {
            documents = try LintDocuments(
                discovery: discovery.map { ("discovery", Array($0.utf8)) },
                keys: keys.map { ("keys", Array($0.utf8)) }
            )
        } catch { throw Mistake(error) }
        let evidence = PreflightRun.lintEvidence(documents, issuer: issuer, now: time)
        let only = discovery == nil ? PreflightRun.keySetChecks : []
        return try judged(evidence, by: profile, only: only, tier: .static, now: time)
    }

    private static func judged(
        _ evidence: Evidence,
        by profile: Profile.Name,
        only: [CheckPattern],
        tier: Tier,
        secrets: [HandedToken.NamedSecret] = [],
        now: Double
    ) throws(Mistake) -> Report {
        var options = RunOptions()
        options.profiles = [profile.rawValue]
        if !only.isEmpty { options.selection = Selection(ofHandedIn: only, skip: []) }
        do throws(ConfigurationError) {
            let runs = try PreparedRuns(
                handedIn: Configuration(judging: evidence),
                upTo: tier,
                options,
                HTTP.libcurl.environment
            )
            runs.targets[0].note(secrets)
            return Report(runs.conclude([JointEvidence(evidence)], now: now))
        } catch { throw Mistake(error) }
    }
}
