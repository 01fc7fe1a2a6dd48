internal import Conformance
internal import Preflight
internal import Profiles

extension Preflight {
    /// Checks an ID Token: signature, claims, and the requirements of a platform.
    ///
    /// Nothing is sent.
    ///
    /// - Parameters:
    ///   - token: The token in compact form.
    ///   - issuer: The registered issuer.
    ///   - clientID: The client ID that the token was issued to.
    ///   - keys: The issuer's key set as JSON; `nil` skips the signature check.
    ///   - clientSecret: The client secret, for a signature with HS256, HS384 or HS512.
    ///   - nonce: The nonce sent in the request, if any.
    ///   - accessToken: The access token issued with it, for `at_hash`.
    ///   - code: The code issued with it, for `c_hash`.
    ///   - profile: The profile.
    ///   - time: The time of arrival, in seconds since 1970.
    /// - Throws: An error if an argument is invalid; an invalid token is a finding, not an error.
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
        let handed = SuppliedToken(
            token: token.wrapped,
            issuer: issuer,
            clientID: clientID,
            clientSecret: clientSecret?.wrapped,
            nonce: nonce,
            accessToken: accessToken?.wrapped,
            code: code?.wrapped,
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

    /// Checks a discovery document, a key set or both before deployment.
    ///
    /// Nothing is sent.
    ///
    /// - Parameters:
    ///   - discovery: The document as JSON.
    ///   - keys: The key set as JSON.
    ///   - issuer: The issuer to be registered; `nil` for the issuer in the document.
    ///   - profile: The profile.
    ///   - time: Seconds since 1970.
    /// - Throws: An error if both documents are missing or one has the wrong type. An invalid document is a finding.
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
        secrets: [SuppliedToken.NamedSecret] = [],
        now: Double
    ) throws(Mistake) -> Report {
        var options = RunOptions()
        options.profiles = [profile.rawValue]
        if !only.isEmpty { options.selection = Selection(ofOfflineInput: only, skip: []) }
        do throws(ConfigurationError) {
            let runs = try PreparedRuns(
                offlineInput: Configuration(judging: evidence),
                upTo: tier,
                options,
                HTTP.libcurl.environment
            )
            runs.targets[0].note(secrets)
            return Report(RedactableReport(runs.targets[0], JointEvidence(evidence), now: now))
        } catch { throw Mistake(error) }
    }
}
