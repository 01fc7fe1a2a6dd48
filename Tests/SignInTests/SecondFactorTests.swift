import Foundation
import LoopbackServer
import Synchronization
import Testing
import Transport

@testable import SignIn

/// Pages that request a one-time code, with a known secret of the user's authenticator app.
@Suite(.timeLimit(.minutes(5))) struct SecondFactorTests {
    private static let redirectURI = "https://rp.example/cb"

    private static func codes(period: Double = 30, from start: Double = 3_000) -> OneTimeCodes {
        let clock = OneTimeCodesTests.Clock(start)
        return clock.codes(period: period) { Credential("\(100_000 + $0)") }
    }

    private func session(
        codes: OneTimeCodes? = Self.codes(),
        attempts: SignInAttempts = SignInAttempts(),
        steps: [SignInStep] = []
    ) -> SignInSession {
        SignInSession(
            client: HTTPClient(
                configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
            ),
            instructions: SignInInstructions(
                username: "alice",
                password: Credential("s3cret"),
                steps: steps,
                attempts: attempts,
                codes: codes
            ),
            redirectURI: Self.redirectURI
        )
    }

    /// A page, and the field that the code goes into; `nil` where none does.
    @Test(
        arguments: [
            ("<form><input name=x autocomplete=one-time-code></form>", "x"),
            ("<form><input name=otp></form>", "otp"),
            ("<form><input type=password name=totp></form>", "totp"),
            ("<form><label for=a>6-digit code</label><input id=a name=c inputmode=numeric maxlength=6></form>", "c"),
            ("<form><input name=code type=tel maxlength=6 placeholder=123456></form>", "code"),
            ("<form><input name=code pattern='[0-9]{6}'></form>", "code"),
            ("<form><input name=code pattern='\\d{6,8}' type=text></form>", "code"),
            ("<form><input name=f aria-label='Código' inputmode=numeric maxlength=8></form>", "f"),
            ("<form><input name=f placeholder='コード' inputmode=numeric maxlength=6></form>", "f"),
            (
                "<form><input name=login_code type=number maxlength=6><input type=hidden name=login value=alice></form>",
                "login_code"
            ),
            (
                "<p>Enter the code from your authenticator app. Or have a text message sent to you.<form><input name=otp></form>",
                "otp"
            ),
            // Other things of six digits, and other things that are called a code.
            ("<form><input name=amount inputmode=numeric maxlength=6></form>", nil),
            ("<form><label>Postal code <input name=code inputmode=numeric maxlength=6></label></form>", nil),
            ("<form><input name=countryCode type=tel maxlength=6></form>", nil),
            ("<form><input name=code></form>", nil),
            ("<form><input name=code maxlength=20 inputmode=numeric></form>", nil),
            // Codes that were sent, which no app shows.
            ("<form><input name=smsCode></form>", nil), ("<form><input name=emailOtp inputmode=numeric></form>", nil),
            ("<p>We sent a text message to …34.<form><input name=code autocomplete=one-time-code></form>", nil),
            ("<p>Wir haben Ihnen einen Code per SMS geschickt.<form><input name=otp></form>", nil),
        ] as [(String, String?)]
    )
    func `a code is written where the page requests an app's code`(html: String, field: String?) {
        let page = HTMLReader.read(Array(html.utf8))
        let instructions = SignInInstructions(username: "alice", password: Credential("s3cret"), codes: Self.codes())
        let filling = FormRecognition(instructions: instructions).filling(for: page)
        #expect(filling?.carriesCode == (field == nil ? nil : true))
        #expect(filling?.filledNames.first == field)
        let without = SignInInstructions(username: "alice", password: Credential("s3cret"))
        #expect(FormRecognition(instructions: without).filling(for: page)?.carriesCode != true)
    }

    private static let codePage =
        "<title>Verify</title><form method=post action=/code><input type=hidden name=t value=1>"
        + "<input name=code autocomplete=one-time-code></form>"

    @Test func `name, password and code lead to the client, and no code is in the record`() async throws {
        let server = LoopbackServer { request in
            switch (request.method, request.path) {
            case ("POST", "/code"):
                request.body == "t=1&code=100100"
                    ? .redirect(Self.redirectURI + "?code=c", headers: [("X-Echo", "none")])
                    : .page("<p role=alert>Wrong</p>" + Self.codePage)
            case ("POST", _): .page(Self.codePage)
            default: .page(Pages.djangoLogin)
            }
        }
        let (outcome, visits) = await session().open(server.url + "/authorize")
        #expect(outcome == .arrived(at: Self.redirectURI + "?code=c", formPost: nil))
        #expect(visits.map(\.cause) == [.opened, .signIn, .oneTimeCode])
        #expect(visits.map(\.isSignIn) == [false, true, false])
        #expect(visits.map(\.code) == [nil, nil, "100100"])
        let body = try #require(visits.last?.exchange.request.body)
        #expect(String(decoding: body, as: UTF8.self) == "t=1&code=[redacted]")
    }

    /// The provider's response to the code, and the report; eight browsers sign in in parallel.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var answer: LoopbackReply
        var reported: String
    }

    @Test(arguments: [
        Case(
            testDescription: "the page again, with its words",
            answer: .page("<p role=alert>The code is wrong, not 100100</p>" + codePage),
            reported:
                "the one-time code was rejected; no further codes will be submitted: The code is wrong, not 100100"
        ),
        Case(
            testDescription: "the password again",
            answer: .page(Pages.djangoLogin),
            reported: "the one-time code was rejected; no further codes will be submitted"
        ),
        Case(
            testDescription: "an error page without a form",
            answer: .page("<p>Too many codes", status: 429),
            reported: "the one-time code was rejected; no further codes will be submitted"
        ),
    ]) func `a refused code ends the sign-ins of the user`(sample: Case) async {
        let passwords = Mutex(0)
        let codes = Mutex(0)
        let server = LoopbackServer { request in
            switch (request.method, request.path) {
            case ("POST", "/code"):
                codes.withLock { $0 += 1 }
                return sample.answer
            case ("POST", _):
                passwords.withLock { $0 += 1 }
                return .page(Self.codePage)
            default: return .page(Pages.djangoLogin)
            }
        }
        let (attempts, shared) = (SignInAttempts(), Self.codes())
        let url = server.url + "/authorize"
        let reasons = await withTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    guard case .stopped(let reason, _) = await session(codes: shared, attempts: attempts).open(url).0
                    else {
                        return "no stop"
                    }
                    return reason.description
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(passwords.withLock(\.self) == 1)
        #expect(codes.withLock(\.self) == 1)
        #expect(reasons.count { $0 == sample.reported } == 1, "\(reasons)")
        #expect(reasons.count { $0.hasPrefix("the password was not sent again: the one-time code") } == 7, "\(reasons)")
    }

    @Test func `a rejected code after an accepted one ends later sign-ins as well`() async {
        let codes = Mutex<[String]>([])
        let server = LoopbackServer { request in
            switch (request.method, request.path) {
            case ("POST", "/code"):
                let count = codes.withLock { codes in
                    codes.append(request.body)
                    return codes.count
                }
                return count == 1 ? .redirect(Self.redirectURI + "?code=c") : .page(Self.codePage)
            case ("POST", _): return .page(Self.codePage)
            default: return .page(Pages.djangoLogin)
            }
        }
        let (attempts, shared) = (SignInAttempts(), Self.codes())
        for _ in 0..<4 { _ = await session(codes: shared, attempts: attempts).open(server.url + "/authorize") }
        #expect(codes.withLock(\.self) == ["t=1&code=100100", "t=1&code=100101"])
    }

    private static func date(_ seconds: Double) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date(timeIntervalSince1970: seconds))
    }

    @Test func `clocks that differ are reported with the refusal`() async {
        for (ahead, isReported) in [(0, false), (14, false), (-20, true), (3_600, true)] {
            let server = LoopbackServer { request in
                let date = Self.date(WallClock.now + Double(ahead))
                return .page(
                    request.method == "POST" ? Self.codePage : Pages.djangoLogin,
                    headers: [("Date", date)]
                )
            }
            guard case .stopped(let reason, _) = await session().open(server.url + "/authorize").0,
                case .codeRefused(_, let difference) = reason
            else {
                Issue.record("nothing was refused")
                continue
            }
            #expect(
                difference.map { abs($0 - ahead) <= 2 } == (isReported ? true : nil),
                "\(ahead): \(difference ?? 0)"
            )
            let words = ahead < 0 ? "behind this machine's" : "ahead of this machine's"
            #expect(reason.nextStep?.contains(words) == isReported)
        }
    }

    @Test func `a step writes the code into a form and into a request`() async throws {
        let server = LoopbackServer { request in
            switch (request.method, request.path) {
            case ("POST", "/api"): .redirect(Self.redirectURI + "?b=" + request.body.filter(\.isNumber))
            case ("POST", "/form"): .redirect("/app?f=" + request.body.filter(\.isNumber))
            case (_, "/app"): .page(Pages.scriptOnly)
            default: .page("<form method=post action=/form><input name=first><input name=second></form>")
            }
        }
        let form = FormStep(formHas: ["first"], fill: [.init(field: "second", template: "{totp}")])
        let both = try RequestStep(
            page: .init(path: "/app"),
            requests: [
                .init(
                    method: "POST",
                    url: Template("/api"),
                    body: .json(.object([.init(name: "otp", value: .text(Template("{totp}")))]))
                )
            ],
            next: .follow
        )
        // One code a way: the second step would need another one.
        let (outcome, visits) = await session(steps: [.form(form), .requests(both)]).open(server.url + "/authorize")
        guard case .stopped(.missingValue(placeholder: "{totp}"), _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(visits.compactMap(\.code) == ["100100"])
        let (second, sent) = await session(steps: [.requests(both)]).open(server.url + "/app")
        #expect(second == .arrived(at: Self.redirectURI + "?b=100100", formPost: nil))
        let recorded = sent.compactMap { $0.exchange.request.body.map { String(decoding: $0, as: UTF8.self) } }
        #expect(recorded == [#"{"otp":"[redacted]"}"#])
    }

    @Test func `a code goes to no host that was not led to`() async {
        let server = LoopbackServer { request in
            request.method == "POST"
                ? .page("<form method=post action='http://127.0.0.1:9/x'><input name=otp></form>")
                : .page(Pages.djangoLogin)
        }
        guard case .stopped(let reason, _) = await session().open(server.url + "/authorize").0 else {
            Issue.record("nothing stopped the way")
            return
        }
        #expect(reason == .passwordToUnknownHost(host: "127.0.0.1:9"))
    }
}
