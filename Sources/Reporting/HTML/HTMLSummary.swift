import Conformance

/// The top of the page: the verdict, the answers, root causes, the first fix and the progress of the sign-in.
struct HTMLSummary {
    private let joint: JointReport
    private let first: Report

    init(_ joint: JointReport) {
        self.joint = joint
        first = joint.reports[0]
    }

    /// The report with root causes; platforms share a run, and so its root causes.
    private var broken: Report { joint.reports.first { !$0.causes.isEmpty } ?? first }

    func html(in space: inout Int) -> HTML {
        let issuer: HTML =
            first.target.issuer.isEmpty
            ? .nothing : "<p class=\"issuer\">\(HTML.code(first.target.issuer, limit: 300))</p>\n"
        let rules = joint.reports.count == 1 ? first.profileLine : counted(joint.reports.count, "platform")
        let cost =
            joint.reports.count == 1
            ? "\(counted(first.timings.requests, "request")), \(counted(first.timings.signIns, "sign-in")), "
                + "\(Format.seconds(first.timings.duration)) s"
            : JointWording.cost(joint)
        let head: HTML = """
            <header class="verdict \(Tone(joint.outcome.gate).rawValue)"><div>
            <p class="small">\(first.tool.shown(limit: 100))</p>
            <h1>\(joint.outcome.summary.shown(limit: 400))</h1>
            \(issuer)<p class="small">\(rules.shown(limit: 300)) · \(first.extent) · the gate closes at level \(first.threshold.rawValue) · exit code \(joint.outcome.exitCode) · \(Format.moment(first.timings.startedAt)) · \(cost)</p>
            </div></header>
            """
        space -= head.count
        return head
    }

    func body(in space: inout Int) -> HTML {
        let parts = [joint.reports.count == 1 ? answers : matrix, causes, firstToChange, signInSequence].joined()
        space -= parts.count
        return parts
    }

    // MARK: The answers

    private var answers: HTML {
        let answers = first.answers
        let tones = [Tone(answers.signIn.verdict), Tone(answers.safety.verdict), Tone(answers.conformance.verdict)]
        let questions = ["Sign-in", "Safety", "Conformance"]
        let cards = questions.indices.map { place -> HTML in
            """
            <li class="\(tones[place].rawValue)"><p class="question">\(questions[place])</p>
            <p class="word \(tones[place].rawValue)">\(answers.words[place])</p>
            <p>\(answers.sentences[place].shown(limit: 600))</p></li>

            """
        }
        return """
            <section aria-label="The three answers">
            <ul class="answers">
            \(cards)</ul>
            \(first.provenance.map { "<p>\($0.shown(limit: 600)).</p>\n" } ?? HTML.nothing)</section>
            """
    }

    private var matrix: HTML {
        let rows = joint.reports.map { report -> HTML in
            let answers = report.answers
            let tones = [Tone(answers.signIn.verdict), Tone(answers.safety.verdict), Tone(answers.conformance.verdict)]
            let cells = zip(Answers.headings, zip(answers.words, tones))
                .map { heading, cell -> HTML in
                    "<td data-label=\"\(heading)\"><span class=\"tag \(cell.1.rawValue)\">\(cell.0)</span></td>"
                }
            return """
                <tr><th scope="row">\(report.profile.title.shown(limit: 100)) <code>\(report.profile.name.shown(limit: 60))</code></th>\(cells)<td data-label="gate"><span class="tag \(Tone(report.outcome.gate).rawValue)">\(report.outcome.gate.word)</span></td><td data-label="checks evaluated">\(report.coverage.judged)</td></tr>

                """
        }
        let headings = (["platform"] + Answers.headings + ["gate", "checks evaluated"])
            .map { heading -> HTML in "<th scope=\"col\">\(heading)</th>" }
        return """
            <section aria-labelledby="platforms">
            <h2 id="platforms">Platforms</h2>
            <table class="matrix">
            <thead><tr>\(headings)</tr></thead>
            <tbody>
            \(rows)</tbody>
            </table>
            </section>
            """
    }

    // MARK: Root causes and the first fix

    private var causes: HTML {
        let report = broken
        guard !report.causes.isEmpty else { return .nothing }
        let blocks = report.causes.prefix(10)
            .map { cause -> HTML in
                let exchange = cause.exchange.flatMap { id in report.exchanges.first { $0.id == id } }
                let rows: [(String, HTML?)] = [
                    ("message", cause.words.map { "“\($0.shown(limit: 600))”" }),
                    ("action", "<strong>\(cause.advice.shown(limit: 1_000))</strong>"),
                    ("see", cause.places.isEmpty ? nil : HTML.code(cause.shownPlaces, limit: 1_000)),
                    ("affects", "\(report.shownWaiting(for: cause))"),
                ]
                let message = cause.message.shown(limit: 1_000)
                return """
                    <div class="box cause" id="cause-\(cause.signInStep.key)">
                    <h3>\(message.sentenceStart)</h3>
                    \(HTMLFindings.rows(rows))\(HTMLPages.strip(cause.pages))\(exchange.map { HTMLExchange($0, report.reach).html(bodyLimit: 4_000) })</div>

                    """
            }
        return """
            <section aria-labelledby="causes">
            <h2 id="causes">Root causes</h2>
            \(blocks)\(HTML.left(report.causes.count - blocks.count, "root cause"))</section>
            """
    }

    private var firstToChange: HTML {
        let closing = JointWording.closing(joint)
        if let entry = closing.first?.entry, let finding = entry.verdict.findings.first {
            let platforms = closing[0].platforms
            let others =
                (platforms.count < joint.reports.count
                    ? ", for \(platforms.joined(separator: ", ").shown(limit: 200))" : "")
                + (closing.count > 1 ? "; \(closing.count - 1) more below" : "")
            return """
                <section class="box first" aria-labelledby="first">
                <h2 id="first">Fix first</h2>
                <p><strong>\(finding.fix.shown(limit: 800))</strong></p>
                <p class="quiet">because: \(finding.sentence(limit: 400)) (\(HTML.reference(entry.id))\(others))</p>
                </section>
                """
        }
        if !broken.causes.isEmpty { return .nothing }
        let blocked = joint.blockers.filter(\.entry.blocksOpening)
        let groups = blocked.grouped { $0.entry.verdict.reason ?? "" }
        if let largest = groups.max(by: { $0.members.count < $1.members.count }) {
            return """
                <section class="box first" aria-labelledby="first">
                <h2 id="first">Why the result is inconclusive</h2>
                <p>\(counted(largest.members.count, "inconclusive check")): \(largest.key.shown(limit: 600))</p>
                </section>
                """
        }
        let untried = joint.reports.allSatisfy { !$0.answers.signIn.wasTried }
        let warnings = Set(joint.reported.filter { CheckState($0.entry) == .belowThreshold }.map(\.entry.id)).count
        guard joint.outcome.gate == .open else { return .nothing }
        return """
            <section class="box first" aria-labelledby="first">
            <h2 id="first">Nothing to fix</h2>
            <p>No blocking problems were found.\(untried ? " No sign-in was attempted, so checks that need one were skipped." : "")\(warnings > 0 ? " \(Answers.countedBelow(warnings)) below." : "")</p>
            </section>
            """
    }

    // MARK: Progress of the sign-in

    /// The steps of a sign-in that the findings of a stage are about.
    private static let stages: [Stage: Cause.SignInStep] = [
        .discovery: .discovery, .keys: .keys, .authorization: .authorizationRequest, .token: .codeRedemption,
        .idtoken: .idToken, .userinfo: .userInfo,
    ]

    private var signInSequence: HTML {
        let signInSteps = broken.signInSteps
        guard !signInSteps.isEmpty else { return .nothing }
        let closing = Set(JointWording.closing(joint).map(\.entry.id))
        let rows = signInSteps.map { one -> HTML in
            let problems = closing.count { $0.stage.flatMap { Self.stages[$0] } == one.signInStep }
            let (tone, word): (Tone, String) =
                switch one.state {
                case .succeeded: problems > 0 ? (.bad, counted(problems, "problem")) : (.good, "ok")
                case .broken: (.bad, "failed")
                case .notReached: (.idle, "not reached")
                case .notTried: (.idle, "not tried")
                }
            let more: HTML =
                one.state == .broken && problems > 0
                ? " <span class=\"problems\">\(counted(problems, "problem"))</span>" : .nothing
            return """
                <li class="\(tone.rawValue)">\(tone.icon) <span class="name">\(one.signInStep.rawValue)</span> <span class="state">\(word)</span>\(more)</li>

                """
        }
        let flows = broken.answers.signIn.flows.map { flow -> HTML in
            let word =
                switch flow.verdict {
                case .works: "works"
                case .fails: "fails"
                case .inconclusive: "inconclusive"
                case .notTried: "not tried"
                }
            return "<span class=\"tag \(Tone(flow.verdict).rawValue)\">\(flow.name.shown(limit: 60)): \(word)</span> "
        }
        return """
            <section aria-labelledby="progress">
            <h2 id="progress">Progress of the sign-in</h2>
            <ol class="progress">
            \(rows)</ol>
            \(flows.isEmpty ? HTML.nothing : "<p class=\"small\">Response types: \(flows)</p>\n")</section>
            """
    }
}
