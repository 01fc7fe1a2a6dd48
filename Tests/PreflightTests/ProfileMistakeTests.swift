import Conformance
import Preflight
import Profiles
import Testing

/// Mistakes in a profile are reported before any request, with file, line and suggestion.
@Suite("Mistakes in profiles", .timeLimit(.minutes(5)))
struct ProfileMistakeTests {
    struct Mistake: Sendable, CustomStringConvertible {
        let title: String
        let text: String
        let message: String
        var description: String { title }

        init(_ title: String, _ text: String, _ message: String) {
            self.title = title
            self.text = text
            self.message = message
        }
    }

    private static func rule(_ body: String) -> String {
        "name: mine\nextends: openid\nrules:\n  \(body)\n"
    }

    private static let reasons = "because: we say so, source: our handbook"

    static let mistakes = [
        Mistake(
            "an unknown stage",
            "name: mine\ninclude: [discovery, token, logouts]\n",
            "./mine.yaml:2:29: no check matches “logouts”"
        ),
        Mistake(
            "a pattern of a family that does not exist",
            "name: mine\nextends: openid\ninclude:\n  - platform.sba.*\n",
            "./mine.yaml:4:5: no check matches “platform.sba.*”; did you mean “platform.spa.*”?"
        ),
        Mistake(
            "a family without its star",
            "name: mine\ninclude: [discovery.issuer]\n",
            "./mine.yaml:2:11: no check matches “discovery.issuer”; did you mean “discovery.issuer.*”?"
        ),
        Mistake(
            "a mistyped check",
            """
            name: mine
            extends: openid
            adjust:
              - check: discovery.issuer.matches-requst
                level: warning
                because: the gateway is lenient
            """,
            "./mine.yaml:4:12: no check matches “discovery.issuer.matches-requst”; "
                + "did you mean “discovery.issuer.matches-request”?"
        ),
        Mistake(
            "dropped without a reason",
            "name: mine\nextends: openid\nadjust:\n  - { check: keys.*, drop: true }\n",
            "./mine.yaml:4:5: “adjust[0].because” is missing"
        ),
        Mistake(
            "dropped with a reason that says nothing",
            "name: mine\nextends: openid\nadjust:\n  - { check: keys.*, drop: true, because: \" \" }\n",
            "./mine.yaml:4:43: “adjust[0].because” has no text"
        ),
        Mistake(
            "an unknown rule",
            rule("keys.are-few-enouhg: { value: 3, \(reasons) }"),
            "./mine.yaml:4:3: unknown key “keys.are-few-enouhg” in “rules”; did you mean “keys.are-few-enough”?"
        ),
        Mistake(
            "a text in the place of a number",
            rule("keys.are-few-enough: { value: three, \(reasons) }"),
            "./mine.yaml:4:33: “rules.keys.are-few-enough.value” must be a non-negative number, not a string"
        ),
        Mistake(
            "half a key",
            rule("keys.are-few-enough: { value: 2.5, \(reasons) }"),
            "./mine.yaml:4:33: “rules.keys.are-few-enough.value” must be a whole number"
        ),
        Mistake(
            "a text in the place of a list",
            rule("id-token.claims-are-present: { value: email, \(reasons) }"),
            "./mine.yaml:4:41: “rules.id-token.claims-are-present.value” must be a list, not a string"
        ),
        Mistake(
            "an empty list",
            rule("id-token.claims-are-present: { value: [], \(reasons) }"),
            "./mine.yaml:4:41: “rules.id-token.claims-are-present.value” is empty"
        ),
        Mistake(
            "a rule that is stated not to hold",
            rule("keys.have-kid: { value: false, \(reasons) }"),
            "./mine.yaml:4:27: “rules.keys.have-kid.value” must be true"
        ),
        Mistake(
            "no regular expression",
            rule("registration.provider-id-is-well-formed: { value: '[a', \(reasons) }"),
            "./mine.yaml:4:53: “rules.registration.provider-id-is-well-formed.value” is not a valid regular expression"
        ),
        Mistake(
            "a feature that there is not",
            "name: mine\nextends: openid\nuses:\n  refreshs: { \(reasons) }\n",
            "./mine.yaml:4:3: unknown key “refreshs” in “uses”; did you mean “refresh”?"
        ),
        Mistake(
            "a feature without its source",
            "name: mine\nextends: openid\nuses:\n  refresh: { because: we do }\n",
            "./mine.yaml:4:12: “uses.refresh.source” is missing"
        ),
        Mistake(
            "a rule without its source",
            rule("keys.have-kid: { value: true, because: we say so }"),
            "./mine.yaml:4:18: “rules.keys.have-kid.source” is missing"
        ),
        Mistake(
            "a rule of an unknown level",
            rule("keys.have-kid: { value: true, level: fatal, \(reasons) }"),
            "must be error, warning or notice, not “fatal”"
        ),
        Mistake(
            "a parameter of the wrong type",
            "name: mine\nextends: openid\nparameters:\n  scopes: openid\n",
            "./mine.yaml:4:11: “parameters.scopes” must be a list, not a string; write it as [ … ]"
        ),
        Mistake(
            "a parameter emptied without a reason",
            "name: mine\nextends: firebase-oidc\nparameters:\n  scopes: []\n",
            "./mine.yaml:4:11: “parameters.scopes” differs from firebase-oidc: give the reason"
        ),
        Mistake(
            "a grammar made wider without a reason",
            rule("registration.provider-id-is-well-formed: { value: '.*', source: nobody }"),
            "“rules.registration.provider-id-is-well-formed.because” is missing"
        ),
        Mistake(
            "a discovery document passed over without a reason",
            "name: mine\nextends: openid\nparameters:\n  reads_discovery: false\n",
            "./mine.yaml:4:20: “parameters.reads_discovery” differs from openid"
        ),
        Mistake(
            "a parameter with a reason that says nothing",
            "name: mine\nextends: firebase-oidc\nparameters:\n  scopes: { value: [openid], because: \" - \" }\n",
            "./mine.yaml:4:39: “parameters.scopes.because” has no text"
        ),
        Mistake(
            "a mistyped response type",
            rule("client.response-types-are-accepted: { value: [coed], \(reasons) }"),
            "“coed” is not a response type; did you mean “code”?"
        ),
        Mistake(
            "an unknown base",
            "name: mine\nextends: opnid\n",
            "./mine.yaml:2:10: there is no profile “opnid”; did you mean “openid”?"
        ),
        Mistake(
            "a profile that extends itself",
            "name: mine\nextends: ./mine.yaml\n",
            "./mine.yaml:2:10: profiles extend each other in a circle: ./mine.yaml → ./mine.yaml"
        ),
        Mistake(
            "two profiles in a circle",
            "name: mine\nextends: ./other.yaml\n",
            "./other.yaml:2:10: profiles extend each other in a circle: ./mine.yaml → ./other.yaml → ./mine.yaml"
        ),
    ]

    private static func environment(_ text: String) -> Environment {
        let files = ["./mine.yaml": text, "./other.yaml": "name: other\nextends: ./mine.yaml\n"]
        return Environment(
            variable: { _ in nil },
            readFile: { path in
                files[path].map { .success(Array($0.utf8)) } ?? .failure(FileError(path: path, reason: "no such file"))
            }
        )
    }

    @Test("a mistake is reported with file, line and suggestion", arguments: mistakes)
    func isReported(mistake: Mistake) {
        let text = ProfileText(width: 80, environment: Self.environment(mistake.text))
        let error = #expect(throws: ConfigurationError.self) { try text.show("./mine.yaml") }
        #expect(error?.description.contains(mistake.message) == true, "\(error?.description ?? "")")
    }

    @Test("all mistakes of a file are reported at once")
    func together() {
        let file =
            "name: mine\ninclude: [logouts]\nadjust: [{ check: kyes.*, drop: true }]\nparameters: { scopes: 1 }\n"
        let text = ProfileText(width: 80, environment: Self.environment(file))
        let error = #expect(throws: ConfigurationError.self) { try text.show("./mine.yaml") }
        #expect(error?.problems.map(\.line) == [2, 3, 3, 4], "\(error?.description ?? "")")
    }
}

@Suite("Built-in profiles", .timeLimit(.minutes(5)))
struct BuiltInProfileTests {
    private static let environment = Environment(
        variable: { _ in nil },
        readFile: { .failure(FileError(path: $0, reason: "no files here")) }
    )

    @Test("each is shown with every rule, its reason and its source", arguments: ProfileLibrary.builtIn.map(\.name))
    func isShown(name: String) throws {
        let shown = try ProfileText(width: 400, environment: Self.environment).show(name)
        let profile = try ProfileLibrary { path throws(ConfigurationError) in
            throw ConfigurationError(file: path, "no files here")
        }
        .profile(name)
        #expect(shown.hasPrefix("\(name): \(profile.title)\n"))
        for (rule, stated) in profile.parameters.rules {
            #expect(shown.contains("\n  \(rule.rawValue): "), "\(rule.rawValue)")
            #expect(shown.contains("because \(stated.because)\n"), "\(rule.rawValue)")
            #expect(shown.contains("source  \(stated.source)\n"), "\(rule.rawValue)")
            #expect(!shown.contains("no check uses it"))
        }
    }

    @Test("lines fit, but for words that cannot be broken and the source", arguments: [40, 59, 60, 100])
    func fits(width: Int) throws {
        let text = ProfileText(width: width, environment: Self.environment)
        var shown = [try text.list()]
        for name in ProfileLibrary.builtIn.map(\.name) {
            let whole = try text.show(name)
            shown.append(String(whole[..<(whole.firstRange(of: "\nSource\n")?.lowerBound ?? whole.endIndex)]))
        }
        for line in shown.flatMap({ $0.split(separator: "\n") }) where line.count > width {
            #expect(line.split(separator: " ").last.map { $0.count > width - 26 } == true, "\(line)")
        }
    }

    @Test(
        "rules from background knowledge or inference never close the gate",
        arguments: ProfileLibrary.builtIn.map(\.name)
    )
    func hearsay(name: String) throws {
        let profile = try ProfileLibrary { path throws(ConfigurationError) in
            throw ConfigurationError(file: path, "no files here")
        }
        .profile(name)
        for (rule, stated) in profile.parameters.rules {
            let isHearsay = ["background knowledge", "inferred"]
                .contains { word in
                    stated.because.contains(word) || stated.source.contains(word)
                }
            guard isHearsay else { continue }
            #expect(profile.adjustment(for: rule.check)?.level == .notice, "\(rule.rawValue)")
        }
    }
}
