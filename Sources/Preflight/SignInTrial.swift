package import Conformance
import Judgement

/// A single sign-in: its pages and its result.
package struct SignInTrial: Sendable {
    package enum End: Sendable {
        /// The provider redirected the user to the client with the requested response.
        case granted(String)
        /// The sign-in stopped.
        case stopped(Cause)
        /// The provider redirected the user with an error, or no request was sent.
        case refused(String)
    }

    package let pages: [VisitedPage]
    package let end: End
    /// The credentials of the client, which only the redemption of a code tests: `client secret`; `nil` for a public client.
    let untested: String?

    /// 0 if the sign-in was granted, else 2: a failed sign-in does not prove a fault of the provider.
    package var exitCode: Int {
        if case .granted = end { 0 } else { 2 }
    }
}

extension PreflightRun {
    /// A run of one sign-in with the first flow; the code is not redeemed.
    package var signInTrial: PreflightRun {
        var plan = plan
        plan.selection = Selection(only: ["authorization"])
        plan.leftOut = []
        plan.needs = plan.profile.parameters.readsDiscovery ? [.discovery, .flows] : [.flows]
        plan.target.flows = Array(plan.target.flows.prefix(1))
        plan.scenarios = plan.target.flows.map { type in
            var scenario = Scenario.flow(type)
            scenario.steps = Array(scenario.steps.prefix(1))
            return scenario
        }
        var run = PreflightRun(self, sending: plan)
        run.recordsPages = true
        return run
    }

    /// The result of ``signInTrial``.
    package func signInTrial(by evidence: Evidence) -> SignInTrial {
        let run = evidence.runs.first
        let facts = Facts(evidence, profile: plan.profile)
        let product = facts.metadata.value.flatMap { Product(of: $0.object) }
        let cause = facts.signInSequence.causes.first.map { placed(product?.naming($0) ?? $0) }
        let method = plan.target.flows.first.flatMap { plan.target.client(for: $0) }?.authentication
        return SignInTrial(
            pages: run?.met ?? [],
            end: Self.end(run, cause),
            untested: method.flatMap(Self.credentials(of:))
        )
    }

    private static func credentials(of method: ClientAuthentication) -> String? {
        switch method {
        case .clientSecretBasic, .clientSecretPost, .clientSecretJWT: "client secret"
        case .privateKeyJWT: "client's key"
        case .none: nil
        }
    }

    private static func end(_ run: ScenarioRun?, _ cause: Cause?) -> SignInTrial.End {
        if let cause { return .stopped(cause) }
        guard let answer = run?.authorization.value else {
            return .refused(run?.authorization.whyNot?.text ?? "no request was sent")
        }
        switch answer.ending {
        case .page(let page): return .refused("the request ended at \(page.phrase)")
        case .redirected(let redirect):
            let place = "the provider redirected to \(redirect.address.shown(limit: 120))"
            if let error = redirect.error { return .refused("\(place) with the error \(error.quoted)") }
            guard redirect.isRedirectURI else { return .refused("\(place), which is not the requested redirect URI") }
            let received = ["code", "id_token", "access_token", "response"].filter(redirect.has)
            return .granted(place + (received.isEmpty ? "" : " with " + received.joined(separator: ", ")))
        }
    }
}

extension SignInTrial {
    /// The result first if the sign-in failed, else last; and the pages in order, each with its content and the input.
    package var text: String {
        switch end {
        case .granted: (pageLines + ["", resultLines[0]]).joined(separator: "\n")
        case .refused, .stopped: (resultLines + [""] + pageLines).joined(separator: "\n")
        }
    }

    /// The same; after a granted sign-in, also what it did not test, and the next command.
    ///
    /// - Parameter options: The options of `try` for the same configuration; `nil` if they cannot be typed.
    package func text(suggesting options: String?) -> String {
        guard case .granted = end else { return text }
        let command = ["\(Tool.name) try", options ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        let limit = untested.map { "No code was redeemed, so the \($0) was not tested." } ?? "No code was redeemed."
        return text + "\n\(limit) Next, run: \(command)"
    }

    private var pageLines: [String] {
        var lines: [String] = []
        var last = 0
        for page in pages {
            if page.number > last + 1 { lines.append("  pages \(last + 1) to \(page.number - 1) are omitted") }
            last = page.number
            lines += page.lines.enumerated()
                .map { place, line in
                    (place == 0 ? "  page \(page.number)  ".padded(to: Self.margin) : Self.blank) + line
                }
        }
        return pages.isEmpty ? ["  No page was received."] : lines
    }

    private var resultLines: [String] {
        switch end {
        case .granted(let what): return ["Granted: \(what)."]
        case .refused(let what): return ["Not granted: \(what)."]
        case .stopped(let cause):
            var lines = ["Not granted: \(cause.message.shown(limit: 500))"]
            if let words = cause.words, pages.isEmpty { lines.append("  message  \(words.quoted)") }
            lines.append("  action   \(cause.advice.shown(limit: 500))")
            if !cause.places.isEmpty { lines.append("  see      \(cause.places.joined(separator: ", "))") }
            return lines
        }
    }

    private static let margin = 11
    private static let blank = String(repeating: " ", count: margin)
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
