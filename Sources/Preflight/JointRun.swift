package import Conformance
internal import Flows
package import Profiles
package import Transport

/// One provider, checked by the rules of one platform or of several.
///
/// Platforms with the same requests share one run. Platforms with other requests have their own run, because they need
/// evidence of these requests.
package struct JointRun: Sendable {
    /// A run for each platform, in the order in which they were named.
    package let runs: [PreflightRun]
    /// The runs that are executed, and the members of ``runs`` that share each.
    private let groups: [(run: PreflightRun, members: [Int])]

    /// - Throws: If a platform is named twice.
    package init(_ first: PreflightRun, _ others: [PreflightRun] = []) throws(ConfigurationError) {
        let runs = [first] + others
        let names = runs.map(\.plan.profile.name)
        for (place, name) in names.enumerated() where names[..<place].contains(name) {
            throw ConfigurationError(file: "--profile", "“\(name)” is named twice")
        }
        self.runs = runs
        var groups: [(shape: RequestShape, members: [Int])] = []
        for (index, run) in runs.enumerated() {
            let shape = RequestShape(run.plan)
            let shared = groups.indices.lazy.compactMap { place in
                groups[place].shape.joined(with: shape).map { (place, $0) }
            }
            if let (place, joined) = shared.first {
                groups[place].shape = joined
                groups[place].members.append(index)
            } else {
                groups.append((shape, [index]))
            }
        }
        self.groups = groups.map { (Self.sharing(runs, $0.members), $0.members) }
    }

    /// The run that is executed for these members: that of the first whose platform decides whether requests have PKCE.
    private static func sharing(_ runs: [PreflightRun], _ members: [Int]) -> PreflightRun {
        let lead = members.first { RequestShape(runs[$0].plan).pkceUse != nil } ?? members[0]
        return members.count == 1 ? runs[lead] : PreflightRun(runs[lead], collectingFor: members.map { runs[$0].plan })
    }

    /// The same run without what it has learned so far: its secrets and certificates.
    var fresh: JointRun {
        let runs = runs.map(\.fresh)
        return JointRun(runs: runs, groups: groups.map { (Self.sharing(runs, $0.members), $0.members) })
    }

    private init(runs: [PreflightRun], groups: [(run: PreflightRun, members: [Int])]) {
        self.runs = runs
        self.groups = groups
    }

    /// The same run, which chooses its checks once for all issuers.
    package var forManyIssuers: JointRun {
        let runs = runs.map(\.forManyIssuers)
        return JointRun(
            runs: runs,
            groups: groups.map { group in
                (run: group.members.count == 1 ? runs[group.members[0]] : group.run, members: group.members)
            }
        )
    }

    /// The same run for another issuer, over shared connections.
    package func retargeted(to issuer: String, sharing: SharedTransport) -> JointRun {
        JointRun(
            runs: runs.map { $0.retargeted(to: issuer, sharing: sharing) },
            groups: groups.map { ($0.run.retargeted(to: issuer, sharing: sharing), $0.members) }
        )
    }

    /// The target's name, if the configuration has several.
    package var targetName: String? { runs[0].configuration.name }

    /// Removes secrets of all runs from a finished text.
    ///
    /// - Parameter isJSON: Replaces only inside strings, so that the text remains JSON.
    package func withoutSecrets(_ text: String, isJSON: Bool = false) -> String {
        runs.reduce(text) { $1.withoutSecrets($0, isJSON: isJSON) }
    }

    /// Registers secrets of the input, so that they are removed from texts.
    package func note(_ secrets: [SuppliedToken.NamedSecret]) {
        runs[0].finalRedaction.note(secrets)
    }

    /// The names of a list, `supabase,kubernetes`.
    package static func names(in list: String) -> [String] {
        list.split(separator: ",").map { String($0).trimmingASCIISpace }.filter { !$0.isEmpty }
    }

    /// The profiles of a list; `all` and `all:go-oidc` are replaced by the profiles that they mean.
    package static func profiles(in list: String) -> [String] {
        names(in: list).flatMap { ProfileLibrary.members(of: $0) ?? [$0] }
    }

    /// Likewise, but rejects empty names.
    ///
    /// - Parameter place: The source of the list, for messages.
    package static func profiles(stated list: String, at place: String) throws(ConfigurationError) -> [String] {
        if let problem = problem(ofList: list) { throw ConfigurationError(file: place, problem) }
        return profiles(in: list)
    }

    /// The message about an empty name; `nil` if there is none.
    static func problem(ofList list: String) -> String? {
        let parts = list.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.contains(where: { String($0).trimmingASCIISpace.isEmpty }) else { return nil }
        return "“\(list.shown(limit: 200))” contains an empty name; to list the profiles: \(Tool.name) profiles list"
    }

    /// The number of runs against the provider.
    package var runCount: Int { groups.count }

    /// The runs that are executed.
    package var executed: [PreflightRun] { groups.map(\.run) }

    /// The requests and the cost of each run, and the platforms that share it.
    package var planText: String {
        guard runs.count > 1 else { return runs[0].planText }
        let count =
            groups.count == 1 ? "share one run" : "need \(groups.count) runs, because their requests differ"
        let heading = "\(runs.count) platforms \(count)."
        return ([heading] + executed.map(\.planText)).joined(separator: "\n\n")
    }

    package func waitForIssuer(seconds: Double, progress: @escaping ProgressHandler) async {
        await runs[0].waitForIssuer(seconds: seconds, progress: progress)
    }

    /// Executes the runs one after another and collects their evidence.
    package func collect(progress: @escaping ProgressHandler) async -> JointEvidence {
        await collect(after: SignInHistory(), progress)
    }

    fileprivate func collect(
        after history: SignInHistory,
        _ progress: @escaping ProgressHandler
    ) async -> JointEvidence {
        var evidence = JointEvidence(await collect(groups[0], history, progress))
        for group in groups.dropFirst() { evidence.others.append(await collect(group, history, progress)) }
        return evidence
    }

    private func collect(
        _ group: (run: PreflightRun, members: [Int]),
        _ history: SignInHistory,
        _ progress: @escaping ProgressHandler
    ) async -> Evidence {
        var evidence = await group.run.collect(after: history, progress: progress)
        evidence.profile = group.members.map { runs[$0].profileName }.joined(separator: ",")
        return evidence
    }

    /// - Parameters:
    ///   - evidence: From ``collect(progress:)``, or from one earlier run for all platforms.
    ///   - now: Seconds since 1970; affects only waivers.
    package func judge(_ evidence: JointEvidence, now: Double) -> JointReport {
        let lifetimes = evidence.all.map(Lifetimes.init)
        let facts = evidence.all.map { runs.count > 1 ? Facts($0, profile: runs[0].plan.profile) : nil }
        let judged = { (index: Int) in
            let place = evidence.place(groups.firstIndex { $0.members.contains(index) } ?? 0)
            var report = runs[index].judge(evidence.all[place], facts[place], now: now)
            report.sources = runs[index].sources(of: evidence.all[place])
            report.lifetimes = lifetimes[place]
            return report
        }
        return JointReport(judged(0), runs.indices.dropFirst().map(judged))
    }
}

extension [JointRun] {
    /// Collects the evidence of several targets, one after another.
    ///
    /// A password that is rejected for one target is not sent for another with the same user and issuer.
    ///
    /// - Parameters:
    ///   - begin: Called before each target.
    ///   - end: Receives the evidence of each target, with the run that knows its secrets. Nothing else keeps either.
    package func collect(
        progress: @escaping ProgressHandler,
        beginning begin: (JointRun) async -> Void,
        ending end: (JointRun, JointEvidence) -> Void
    ) async {
        let history = SignInHistory()
        for run in self {
            let run = count > 1 ? run.fresh : run
            await begin(run)
            end(run, await run.collect(after: history, progress))
        }
    }
}

/// The evidence of one run or several.
package struct JointEvidence: Sendable {
    package let first: Evidence
    fileprivate(set) var others: [Evidence] = []

    package init(_ evidence: Evidence) {
        first = evidence
    }

    fileprivate var all: [Evidence] { [first] + others }

    /// Whether a run was interrupted.
    package var wasInterrupted: Bool { all.contains(where: \.wasInterrupted) }

    /// The index of a run's evidence; evidence shared by all platforms has index 0.
    fileprivate func place(_ run: Int) -> Int { run <= others.count ? run : 0 }
}

/// The parts of a profile that affect the requests for this target.
private struct RequestShape: Equatable {
    let dropped: [String]
    /// `nil` if no request depends on it.
    var pkceUse: ProfileParameters.PKCEUse?
    let avoidsPKCE: Bool
    let readsDiscovery: Bool
    let readsServerMetadata: Bool
    let usesOAuth1: Bool
    let addresses: [KnownAddress]
    let scopes: [String]
    /// Of each client's assertions.
    let audiences: [AssertionAudience?]
    /// Whether requests of scripts, with an `Origin` header, are included.
    let asksAsScript: Bool

    init(_ plan: Plan) {
        let parameters = plan.profile.parameters
        dropped = plan.target.customParameters.map(\.name).filter { !parameters.passesOn($0) }
        let clients = plan.target.allClients
        avoidsPKCE = parameters.avoidsPKCE || (!clients.isEmpty && clients.allSatisfy { $0.sendsPKCE == false })
        let asks = Scenario.asThePlatform.contains { plan.needs.contains(.probe($0.id)) } && !avoidsPKCE
        pkceUse = asks ? parameters.pkceUse : nil
        readsDiscovery = parameters.readsDiscovery
        readsServerMetadata = parameters.readsServerMetadata
        usesOAuth1 = parameters.usesOAuth1
        addresses = plan.knownAddresses
        scopes = plan.target.scopes
        audiences = clients.map { $0.authentication.usesAssertion ? $0.assertionAudience : nil }
        asksAsScript = plan.needs.contains(.scripts)
    }

    /// The requests of both; `nil` if they differ.
    func joined(with other: RequestShape) -> RequestShape? {
        var (left, right) = (self, other)
        left.pkceUse = pkceUse ?? other.pkceUse
        right.pkceUse = other.pkceUse ?? pkceUse
        return left == right ? left : nil
    }
}
