import Conformance
import Foundation
import SignIn
import Testing
import Transport

/// `Documentation/Troubleshooting.md` has an entry for each message that makes checks inconclusive.
@Suite("Troubleshooting", .timeLimit(.minutes(5)))
struct TroubleshootingTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// An enumeration of messages: where it stands, and for each of its cases the message that a user reads.
    struct Kind: Sendable, CustomStringConvertible {
        let name: String
        let file: String
        let messages: [String: String]

        var description: String { name }
    }

    private static let transport: [String: TransportFailure.Cause] = [
        "nameNotResolved": .nameNotResolved,
        "refused": .refused,
        "unreachable": .unreachable(reason: "REASON"),
        "timedOut": .timedOut(seconds: 30),
        "tlsHandshake": .tlsHandshake(reason: "REASON"),
        "certificateRefused": .certificateRefused(.selfSigned),
        "addressRefused": .addressRefused(address: "10.0.0.1", rule: "RULE"),
        "hostNotAllowed": .hostNotAllowed,
        "bodyTooLarge": .bodyTooLarge(limit: 1_000),
        "headersTooLarge": .headersTooLarge(limit: 1_000),
        "truncated": .truncated,
        "closedWithoutAnswer": .closedWithoutAnswer,
        "unanswered": .unanswered(reason: nil),
        "connectionLost": .connectionLost(reason: "REASON"),
        "protocolViolation": .protocolViolation(reason: "REASON"),
        "schemeRefused": .schemeRefused(scheme: "ftp"),
        "invalidURL": .invalidURL(reason: "REASON"),
        "invalidRequest": .invalidRequest(reason: "REASON"),
        "trustUnreadable": .trustUnreadable(path: "FILE", reason: "REASON"),
        "proxyFailed": .proxyFailed(reason: "REASON"),
        "cancelled": .cancelled,
        "limitReached": .limitReached(.requests(1_500)),
    ]

    private static let certificates: [String: CertificateProblem] = [
        "expired": .expired(depth: 0),
        "notYetValid": .notYetValid(depth: 0),
        "selfSigned": .selfSigned,
        "untrustedRoot": .untrustedRoot,
        "intermediateMissing": .intermediateMissing,
        "unknownAuthority": .unknownAuthority,
        "wrongHost": .wrongHost(reason: "REASON"),
        "other": .other(code: 1, reason: "REASON", depth: 0),
    ]

    private static let limits: [String: LimitReached] = [
        "requests": .requests(1_500),
        "seconds": .seconds(300),
        "bytes": .bytes(100_000_000),
        "endpoint": .endpoint("REQUEST"),
        "provider": .provider(after: "REQUEST"),
    ]

    private static let demands: [String: PageDemand] = [
        "oneTimeCode": .oneTimeCode, "sentCode": .sentCode, "captcha": .captcha, "botWall": .botWall,
        "blockedAgent": .blockedAgent, "emailMessage": .emailMessage, "termsOfUse": .termsOfUse,
        "passkey": .passkey, "otherProvider": .otherProvider,
    ]

    private static let objections: [String: FormObjection] = [
        "hasOtherValue": .hasOtherValue(field: "FIELD"), "hasFurtherField": .hasFurtherField("FIELD"),
        "followsPassword": .followsPassword, "mayBeSkipped": .mayBeSkipped(by: "BUTTON"),
    ]

    private static let stops: [String: StopReason] = [
        "noUsableForm": .noUsableForm(needsScript: true, emptyFields: nil),
        "unsuitableForm": .unsuitableForm(.hasFurtherField("FIELD"), emptyFields: nil),
        "errorPage": .errorPage(status: 500),
        "sameFormAgain": .sameFormAgain(message: nil, emptyFields: nil),
        "passwordRefused": .passwordRefused(message: nil, emptyFields: nil),
        "acceptedPasswordRefused": .acceptedPasswordRefused(message: nil),
        "signInPageRepeats": .signInPageRepeats,
        "codeRefused": .codeRefused(message: nil, clockDifference: nil),
        "passkeyRefused": .passkeyRefused(message: nil),
        "noCodeInTime": .noCodeInTime,
        "requests": .requests(.captcha, cameBack: false, message: nil),
        "refusedByPage": .refusedByPage(title: "TITLE", text: "TEXT"),
        "signInIsOver": .signInIsOver(because: "REASON"),
        "sessionEnded": .sessionEnded,
        "tooManyPages": .tooManyPages(limit: 20),
        "tooManyRedirects": .tooManyRedirects(limit: 20),
        "tooManySignIns": .tooManySignIns(limit: 6),
        "passwordOverPlainHTTP": .passwordOverPlainHTTP(host: "HOST"),
        "passwordToUnknownHost": .passwordToUnknownHost(host: "HOST"),
        "otherRedirectURI": .otherRedirectURI(location: "URL"),
        "unusableRedirect": .unusableRedirect(location: "URL"),
        "notHTML": .notHTML(mediaType: "application/json"),
        "requestRefused": .requestRefused(request: "REQUEST", status: 401, expected: "200", message: nil),
        "missingValue": .missingValue(placeholder: "PLACEHOLDER"),
        "requestToUnknownHost": .requestToUnknownHost(host: "HOST"),
        "samePageAgain": .samePageAgain,
        "stepDoesNotFit": .stepDoesNotFit(.field("FIELD"), hasScript: false),
        "browserFailed": .browserFailed(reason: "REASON"),
        "byHand": .byHand(.late(seconds: 300, others: 0)),
    ]

    static let kinds: [Kind] = [
        // These are the only messages for libcurl error numbers.
        Kind(
            name: "Cause",
            file: "Sources/Transport/TransportFailure.swift",
            messages: transport.mapValues(\.summary).merging(["other": "(libcurl error NUMBER)"]) { $1 }
        ),
        Kind(
            name: "CertificateProblem",
            file: "Sources/Transport/TransportFailure.swift",
            messages: certificates.mapValues(\.summary)
        ),
        Kind(name: "LimitReached", file: "Sources/Transport/RunBudget.swift", messages: limits.mapValues(\.summary)),
        Kind(name: "PageDemand", file: "Sources/SignIn/PageDemand.swift", messages: demands.mapValues(\.description)),
        Kind(
            name: "FormObjection",
            file: "Sources/SignIn/FormRecognition+Objections.swift",
            messages: objections.mapValues(\.words)
        ),
        Kind(name: "StopReason", file: "Sources/SignIn/StopReason.swift", messages: stops.mapValues(\.description)),
    ]

    @Test("every message of an enumeration has an entry", arguments: kinds)
    func entries(kind: Kind) throws {
        let page = try Self.text("Documentation/Troubleshooting.md")
        let cases = Self.cases(of: kind.name, in: try Self.text(kind.file))
        #expect(!cases.isEmpty && Set(kind.messages.keys) == cases, "\(kind) has cases without a message here, or none")
        for (name, message) in kind.messages.sorted(by: { $0.key < $1.key }) {
            let isThere = page.contains(message)
            #expect(isThere, "Documentation/Troubleshooting.md has no entry for \(name): “\(message)”")
        }
    }

    @Test("every step of an ordinary sign-in has a section", arguments: Cause.SignInStep.allCases)
    func signInSteps(signInStep: Cause.SignInStep) throws {
        let page = try Self.text("Documentation/Troubleshooting.md").lowercased()
        let isThere = page.contains("\n### \(signInStep.rawValue.lowercased())\n")
        #expect(isThere, "no section for the \(signInStep.rawValue)")
    }

    /// A cause is written where it is seen: what stands still in its message is on the page.
    @Test("every cause has an entry")
    func causes() throws {
        let page = try Self.text("Documentation/Troubleshooting.md").split { $0.isWhitespace }.joined(separator: " ")
        let source = try ["Cause", "Cause+AuthorizationError"]
            .map { try Self.text("Sources/Conformance/Judging/\($0).swift") }.joined()
        let beginnings = source.matches(of: #/"((?:The|No|UserInfo) [a-zA-Z]+ [^"\\]*)/#).map { String($0.output.1) }
        let messages = Set(beginnings.map { $0.trimmingCharacters(in: .whitespaces) })
        #expect(messages.count >= 8, "\(messages)")
        for message in messages {
            let isThere = page.contains(message)
            #expect(isThere, "Documentation/Troubleshooting.md has no entry for “\(message)”")
        }
    }

    @Test("every note of a report has an entry")
    func notes() throws {
        let page = try Self.text("Documentation/Troubleshooting.md").split { $0.isWhitespace }.joined(separator: " ")
        let source = try Self.text("Sources/Judgement/Notes.swift")
        let beginnings = source.matches(of: #/"([A-Z][a-z]* [a-z]+,? [^"\\(]*)/#).map { String($0.output.1) }
        #expect(beginnings.count >= 8, "\(beginnings)")
        for beginning in beginnings {
            let words = beginning.trimmingCharacters(in: .whitespaces)
            let isThere = page.contains(words)
            #expect(isThere, "Documentation/Troubleshooting.md has no entry for “\(words)”")
        }
    }

    /// The names of an enumeration's cases, read from its source: the compiler keeps none.
    private static func cases(of name: String, in source: String) -> Set<String> {
        let lines = source.components(separatedBy: "\n")
        guard let start = lines.firstIndex(where: { $0.contains("enum \(name):") }) else { return [] }
        let indent = String(lines[start].prefix { $0 == " " })
        let body = lines[(start + 1)...].prefix { $0 != indent + "}" }
        return Set(
            body.filter { $0.hasPrefix(indent + "    case ") }
                .map { line in String(line.dropFirst(indent.count + 9).prefix { $0.isLetter || $0.isNumber }) }
        )
    }
}
