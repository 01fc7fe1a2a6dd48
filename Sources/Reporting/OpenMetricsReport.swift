import Conformance

/// The report for monitoring scheduled runs: OpenMetrics 1.0.
///
/// Every series has the issuer; series that differ between platforms also have the profile. Provider text never becomes the name of
/// a metric or a label, and the number of keys and hosts is limited.
enum OpenMetricsReport {
    private static let prefix = "oidc_preflight"
    private static let most = 100

    static func render(_ joint: JointReport) -> String {
        let families = runs(joint) + answers(joint) + counts(joint) + certificates(joint) + keys(joint)
        let lines = families.filter { !$0.samples.isEmpty }.flatMap(\.lines)
        return (lines + ["# EOF"]).joined(separator: "\n") + "\n"
    }

    private struct Family {
        /// Without the prefix.
        let name: String
        let type: String
        var unit: String?
        let help: String
        var samples: [(labels: [Field], value: String)]

        var lines: [String] {
            let name = OpenMetricsReport.prefix + name
            let suffix = type == "info" ? "_info" : ""
            return ["# TYPE \(name) \(type)"] + (unit.map { ["# UNIT \(name) \($0)"] } ?? [])
                + ["# HELP \(name) \(help)"]
                + samples.map { labels, value in
                    let list = labels.map { "\($0.name)=\"\(OpenMetricsReport.escaped($0.value))\"" }
                    return "\(name)\(suffix){\(list.joined(separator: ","))} \(value)"
                }
        }
    }

    // MARK: Runs

    private static func runs(_ joint: JointReport) -> [Family] {
        let first = joint.reports[0]
        let numbers: [(String, String?, String, (Report) -> String)] = [
            (
                "_run_timestamp_seconds", "seconds", "When the run started.",
                { Format.seconds($0.timings.startedAt) }
            ), ("_run_duration_seconds", "seconds", "Duration of the run.", { Format.seconds($0.timings.duration) }),
            ("_run_requests", nil, "Number of requests sent.", { String($0.timings.requests) }),
            ("_run_sign_ins", nil, "Number of times a password was sent.", { String($0.timings.signIns) }),
        ]
        let info = Family(
            name: "",
            type: "info",
            help: "The program and the tier of the run.",
            samples: [
                (issuer(first) + [Field("tool", first.tool), Field("tier", first.tier.rawValue)], "1")
            ]
        )
        return [info]
            + numbers.map { name, unit, help, value in
                Family(
                    name: name,
                    type: "gauge",
                    unit: unit,
                    help: help,
                    samples: joint.reports.map { (labels($0), value($0)) }
                )
            }
    }

    // MARK: Answers and checks

    private static func answers(_ joint: JointReport) -> [Family] {
        let gates = [Report.Gate.open, .closed, .inconclusive].map(\.rawValue)
        let verdicts = Answers.Verdict.allCases.map(\.rawValue)
        let sets: [(String, String, [String], (Report) -> String)] = [
            ("_gate", "Whether the provider can be registered.", gates, { $0.outcome.gate.rawValue }),
            (
                "_sign_in", "Whether sign-in works.", Answers.SignInVerdict.allCases.map(\.rawValue),
                { $0.answers.signIn.verdict.rawValue }
            ), ("_safety", "Whether the provider is safe.", verdicts, { $0.answers.safety.verdict.rawValue }),
            ("_conformance", "Whether the provider conforms.", verdicts, { $0.answers.conformance.verdict.rawValue }),
        ]
        return sets.map { name, help, states, state in
            Family(
                name: name,
                type: "stateset",
                help: help,
                samples: joint.reports.flatMap { report in
                    states.map { word in
                        (labels(report) + [Field(prefix + name, word)], word == state(report) ? "1" : "0")
                    }
                }
            )
        }
    }

    private static func counts(_ joint: JointReport) -> [Family] {
        let effects: [(String, CheckState)] = [
            ("closes", .closes), ("remark", .belowThreshold), ("known", .known), ("waived", .waived),
        ]
        let failed = Family(
            name: "_failed_checks",
            type: "gauge",
            help: "Checks with findings, by level and effect.",
            samples: joint.reports.flatMap { report in
                Level.allCases.reversed()
                    .flatMap { level in
                        effects.map { word, state in
                            let count = report.entries.count { $0.level == level && CheckState($0) == state }
                            return (
                                labels(report) + [Field("level", level.rawValue), Field("effect", word)], String(count)
                            )
                        }
                    }
            }
        )
        let checks = Family(
            name: "_checks",
            type: "gauge",
            help: "Checks of the profile by their verdict.",
            samples: joint.reports.flatMap { report in
                let entries = report.entries.filter { !$0.isForeign }
                let words = ["passed", "failed", "excused", "notApplicable", "inconclusive", "notAttempted"]
                return words.map { word in
                    (labels(report) + [Field("verdict", word)], String(entries.count { $0.verdict.word == word }))
                }
            }
        )
        let causes = Family(
            name: "_broken_step",
            type: "gauge",
            help: "Checks that are inconclusive because a step of the sign-in failed.",
            samples: joint.reports.flatMap { report in
                report.causes.grouped(by: \.signInStep)
                    .map { signInStep, causes in
                        (
                            labels(report) + [Field("step", signInStep.key)],
                            String(causes.map { report.waiting(for: $0) }.max() ?? 0)
                        )
                    }
            }
        )
        return [failed, checks, causes]
    }

    // MARK: Expiry

    private static func certificates(_ joint: JointReport) -> [Family] {
        let first = joint.reports[0]
        let reported = Dictionary(joint.reports.flatMap(\.lifetimes.certificates).map { ($0.host, $0) }) { first, _ in
            first
        }
        let hosts = reported.values.sorted { $0.host < $1.host }.prefix(most)
        let moments: [(String, String, (Lifetimes.Certificate) -> Double)] = [
            ("not_before", "Start of the validity of a host's certificate.", { $0.notBefore }),
            ("not_after", "End of the validity of a host's certificate.", { $0.notAfter }),
        ]
        return moments.map { name, help, moment in
            Family(
                name: "_certificate_\(name)_timestamp_seconds",
                type: "gauge",
                unit: "seconds",
                help: help,
                samples: hosts.map { (issuer(first) + [Field("host", $0.host)], Format.seconds(moment($0))) }
            )
        }
    }

    private static func keys(_ joint: JointReport) -> [Family] {
        let first = joint.reports[0]
        let keys = (joint.reports.first { !$0.lifetimes.keys.isEmpty } ?? first).lifetimes.keys.prefix(most)
        // Two keys may have the same kid; their index distinguishes them.
        let named = { (key: Lifetimes.Key) in
            issuer(first) + [Field("kid", key.kid ?? ""), Field("index", String(key.index))]
        }
        let published = Family(
            name: "_key",
            type: "info",
            help: "A published key. A JWK states no age: a key is as old as its series.",
            samples: keys.map { key in
                (
                    named(key) + [
                        Field("kty", key.type ?? ""), Field("alg", key.algorithm ?? ""), Field("use", key.use ?? ""),
                    ], "1"
                )
            }
        )
        let moments: [(String, String, (Lifetimes.Key) -> Double?)] = [
            ("not_before", "Start of the validity of the certificate in a key's x5c.", { $0.notBefore }),
            ("not_after", "End of the validity of the certificate in a key's x5c.", { $0.notAfter }),
        ]
        return [published]
            + moments.map { name, help, moment in
                Family(
                    name: "_key_certificate_\(name)_timestamp_seconds",
                    type: "gauge",
                    unit: "seconds",
                    help: help,
                    samples: keys.compactMap { key in moment(key).map { (named(key), Format.seconds($0)) } }
                )
            }
    }

    // MARK: Text

    private static func issuer(_ report: Report) -> [Field] { [Field("issuer", report.target.issuer)] }

    private static func labels(_ report: Report) -> [Field] {
        issuer(report) + [Field("profile", report.profile.name)]
    }

    /// A label value, escaped, on one line.
    private static func escaped(_ text: String) -> String {
        LogText.defused(text.shown(limit: 300)).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
}
