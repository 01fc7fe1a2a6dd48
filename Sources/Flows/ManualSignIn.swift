import Conformance
import Listening
import SignIn
import Synchronization
import Transport

/// The user at the terminal: functions that read lines and open addresses.
package struct TerminalUser: Sendable {
    /// The outcome of waiting for a line of text.
    package enum Line: Sendable, Hashable {
        case text(String)
        case tooLong
        /// Nothing more will come.
        case ended
        /// The time was over, or the task was cancelled.
        case late
    }

    /// Called before a question is shown; its result is called when no more lines are read.
    var takeLines: @Sendable () -> @Sendable () -> Void
    /// Waits so many seconds for a line; ends early when its task is cancelled.
    var line: @Sendable (Double) async -> Line
    /// Whether the lines come from a terminal, where a user may paste an address at any time.
    var isAtTerminal: Bool
    /// Opens an address in the user's browser, and returns whether it could; `nil` if nothing is opened.
    package var open: (@Sendable (String) -> Bool)?

    package init(
        isAtTerminal: Bool,
        takeLines: @escaping @Sendable () -> @Sendable () -> Void = { {} },
        line: @escaping @Sendable (Double) async -> Line,
        open: (@Sendable (String) -> Bool)? = nil
    ) {
        self.isAtTerminal = isAtTerminal
        self.takeLines = takeLines
        self.line = line
        self.open = open
    }

    /// No user: responses come only to a listener.
    package static let none = TerminalUser(isAtTerminal: false, line: { _ in .ended })
}

/// The manual sign-ins of a run: it shows each request and waits for its response, one at a time.
actor ManualSignIn {
    private let user: TerminalUser
    /// Seconds for one sign-in.
    private let seconds: Double
    private let total: Int
    private let username: String?
    private let secondsLeft: @Sendable () -> Double?
    private let progress: ProgressHandler
    private var number = 0
    /// Whether a sign-in was not completed.
    private var isOver = false
    /// The `state` of each request that was shown.
    private var shown: [String] = []

    init(
        _ user: TerminalUser,
        seconds: Double,
        total: Int,
        username: String?,
        secondsLeft: @escaping @Sendable () -> Double?,
        progress: @escaping ProgressHandler
    ) {
        self.user = user
        self.seconds = seconds
        self.total = total
        self.username = username
        self.secondsLeft = secondsLeft
        self.progress = progress
    }

    /// Shows a request to the user and waits for its response.
    func ask(_ request: ManualRequest) async -> ManualResponse {
        if isOver { return .stopped(.over) }
        number += 1
        let expected = Expected(request, earlier: shown)
        if let state = request.state { shown.append(state) }
        let (listener, why) = await listen(for: expected)
        defer { progress(.asked(nil)) }
        let result = await wait(for: expected, listener, why)
        await listener?.stop()
        if case .stopped(let stop) = result {
            switch stop {
            case .late, .noTerminal: isOver = true
            case .formElsewhere, .noAddress, .over, .interrupted: break
            }
        }
        return result
    }

    private func wait(for expected: Expected, _ listener: ResponseListener?, _ why: String?) async -> ManualResponse {
        let request = expected.request
        if listener == nil, request.responseMode == "form_post" {
            return .stopped(.formElsewhere(redirectURI: request.redirectURI, because: why))
        }
        let time = min(seconds, secondsLeft() ?? seconds)
        let pastes = listener == nil || user.isAtTerminal
        let stopTaking = pastes ? user.takeLines() : {}
        defer { stopTaking() }
        progress(.asked(words(for: request, listens: listener != nil, why, time, pastes: pastes)))
        if let open = user.open, !open(request.url) {
            progress(.asked("No browser could be opened here: open it yourself."))
        }
        return await withTaskGroup(of: ManualResponse?.self) { group in
            if listener != nil { group.addTask { await expected.response() } }
            if pastes { group.addTask { await self.pasted(expected, time, isOnlyWay: listener == nil) } }
            group.addTask {
                try? await Task.sleep(nanoseconds: UInt64(max(0, time) * 1e9))
                return Task.isCancelled ? nil : .stopped(.late(seconds: time, others: expected.others))
            }
            var result: ManualResponse?
            while result == nil, !Task.isCancelled, let next = await group.next() { result = next }
            group.cancelAll()
            return result ?? .stopped(.interrupted)
        }
    }

    // MARK: Listening

    /// Listens at the redirect URI, if it is on this machine.
    ///
    /// - Returns: Otherwise the reason, if listening was tried.
    private func listen(for expected: Expected) async -> (ResponseListener?, String?) {
        guard let url = WebURL(expected.request.redirectURI), url.isLoopback else { return (nil, nil) }
        guard url.scheme == "http" else {
            return (nil, "https on this machine needs a certificate that browsers trust")
        }
        let isName = !url.host.hasPrefix("[") && !url.host.hasPrefix("127.")
        let number = url.host.filter { $0 != "[" && $0 != "]" }
        do {
            let listener = try await ResponseListener.listen(
                on: isName ? ["127.0.0.1", "::1"] : [number],
                port: url.effectivePort,
                authority: { _ in url.hostAndPort },
                path: url.path,
                take: expected.take
            )
            return (listener, nil)
        } catch {
            return (nil, error.description)
        }
    }

    // MARK: Pasting

    /// Reads pasted addresses until one is the response; `nil` when none will come.
    private func pasted(_ expected: Expected, _ time: Double, isOnlyWay: Bool) async -> ManualResponse? {
        let start = ContinuousClock.now
        while !Task.isCancelled {
            let left = time - Self.seconds(start.duration(to: .now))
            guard left > 0 else { return nil }
            switch await user.line(left) {
            case .late: return nil
            case .ended:
                return isOnlyWay ? .stopped(.noTerminal(redirectURI: expected.request.redirectURI)) : nil
            case .tooLong:
                progress(
                    .asked(
                        "That is too long for an address: paste the address that the browser shows, and nothing else."
                    )
                )
            case .text(let text):
                let words = text.trimmingASCIISpace
                if words.isEmpty { continue }
                switch expected.judge(pasted: words) {
                case .response(let back): return back
                case .problem(let problem): progress(.asked(problem))
                }
            }
        }
        return nil
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    // MARK: Words

    private func words(
        for request: ManualRequest,
        listens: Bool,
        _ why: String?,
        _ time: Double,
        pastes: Bool
    ) -> String {
        let who = username.map { ", and sign in as \($0.shown(limit: 100))" } ?? ", and sign in"
        let redirectURI = request.redirectURI.shown(limit: 300)
        let minutes = time >= 120 ? "\(Int(time / 60)) minutes" : "\(Int(time.rounded())) seconds"
        var lines = [
            "Sign-in \(number) of \(max(number, total)): open this address in a browser\(who).", "", "  \(request.url)",
            "",
        ]
        if let why { lines.append("\(why.shown(limit: 300)).") }
        if listens {
            lines.append("Waiting for the response at \(redirectURI), for up to \(minutes).")
            if pastes { lines.append("If the browser is on another machine, paste its final address here.") }
        } else {
            lines.append("The browser then goes to \(redirectURI), even if no page exists there.")
            lines.append("Paste the whole address from its address bar here, within \(minutes):")
        }
        return lines.joined(separator: "\n")
    }
}

/// The expected response: the first one from the listener's thread or from pasted text.
private final class Expected: Sendable {
    enum Pasted {
        case response(ManualResponse)
        case problem(String)
    }

    private enum State {
        case open(CheckedContinuation<ManualResponse?, Never>?)
        case found(ManualResponse)
        case closed
    }

    let request: ManualRequest
    private let earlier: [String]
    private let target: WebURL?
    private let state = Mutex(State.open(nil))
    private let strangers = Mutex(0)

    init(_ request: ManualRequest, earlier: [String]) {
        self.request = request
        self.earlier = earlier
        target = WebURL(request.redirectURI)
    }

    /// How many responses came that belong to other requests.
    var others: Int { strangers.withLock { $0 } }

    /// Waits for the response that the listener takes; `nil` when the task is cancelled.
    func response() async -> ManualResponse? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let found = state.withLock { state -> ManualResponse?? in
                    switch state {
                    case .open:
                        state = .open(continuation)
                        return nil
                    case .found(let back): return .some(back)
                    case .closed: return .some(nil)
                    }
                }
                if let found { continuation.resume(returning: found) }
            }
        } onCancel: {
            end(with: nil)
        }
    }

    private func end(with back: ManualResponse?) {
        let waiting = state.withLock { state -> CheckedContinuation<ManualResponse?, Never>? in
            guard case .open(let waiting) = state else { return nil }
            state = back.map { .found($0) } ?? .closed
            return waiting
        }
        waiting?.resume(returning: back)
    }

    /// Evaluates a request that a browser sent to the listener.
    @Sendable func take(_ received: ReceivedResponse) -> ResponseReception {
        let origin =
            target.map { String(request.redirectURI.prefix(request.redirectURI.count - Self.rest(of: $0).count)) } ?? ""
        var address = origin + received.target
        if let fragment = received.fragment, !fragment.isEmpty { address += "#" + fragment }
        guard let url = WebURL(address) else { return .empty }
        var form: ResponseForm?
        var parameters = url.queryParameters.items + url.fragmentParameters.items
        if let posted = received.form {
            let type = posted.contentType.map { String($0.prefix { $0 != ";" }).trimmingASCIISpace.lowercased() }
            let read = FormParameters(parsing: String(decoding: posted.body, as: UTF8.self))
            form = ResponseForm(
                parameters: read,
                action: address,
                method: "POST",
                encoding: type ?? "",
                // The run cannot see whether the page has a script for it; it knows only that the form arrived.
                sendsItself: true
            )
            parameters = read.items
        }
        switch judge(parameters) {
        case .empty: return .empty
        case .ofAnotherRequest:
            strangers.withLock { $0 += 1 }
            return .ofAnotherRequest
        case .taken:
            end(with: .arrived(at: address, formPost: form))
            return .taken
        }
    }

    /// Evaluates the text that a user pasted.
    func judge(pasted text: String) -> Pasted {
        let address = text.hasPrefix("<") && text.hasSuffix(">") ? String(text.dropFirst().dropLast()) : text
        let redirectURI = request.redirectURI.shown(limit: 200)
        guard isReached(at: address) else {
            if address == request.url {
                return .problem(
                    "That is the address to open. Sign in there, and paste the address that begins with \(redirectURI)."
                )
            }
            return .problem("That is not the redirect URI: paste the whole address, which begins with \(redirectURI).")
        }
        let query = address.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        let fragment = address.drop { $0 != "#" }.dropFirst()
        let parameters = FormParameters(parsing: query).items + FormParameters(parsing: fragment).items
        switch judge(parameters) {
        case .taken: return .response(.arrived(at: address, formPost: nil))
        case .empty:
            return .problem(
                "That address contains no response: paste all of it, including the part after “?” or “#”. If the provider posts its "
                    + "response as a form, it cannot be pasted."
            )
        case .ofAnotherRequest:
            strangers.withLock { $0 += 1 }
            let state = parameters.first { $0.name == "state" }?.value
            let isEarlier = state.map(earlier.contains) ?? false
            return .problem(
                isEarlier
                    ? "That is the response to an earlier sign-in of this run: open the address that was shown last, and paste its response."
                    : "That is the response to another request, because its state differs: open the address that was shown last, "
                        + "and paste its response."
            )
        }
    }

    private func isReached(at address: String) -> Bool {
        if let target {
            guard let other = WebURL(address) else { return false }
            return target.hasSamePlace(as: other)
        }
        let end = { (text: String) in text.prefix { $0 != "?" && $0 != "#" } }
        return end(address) == end(request.redirectURI)
    }

    private func judge(_ parameters: [FormParameter]) -> ResponseReception {
        let isResponse = parameters.contains { Self.artefacts.contains($0.name) }
        guard isResponse || parameters.contains(where: { $0.name == "state" }) else { return .empty }
        guard let state = request.state else { return .taken }
        return parameters.first { $0.name == "state" }?.value == state ? .taken : .ofAnotherRequest
    }

    /// RFC 6749 sections 4.1.2, 4.1.2.1 and 4.2.2, Core section 3.2.2.5.
    private static let artefacts = ["code", "access_token", "id_token", "error", "response"]

    /// The part of a URL's text after scheme and authority.
    private static func rest(of url: WebURL) -> Substring {
        let text = url.text[...]
        guard let separator = text.firstRange(of: "://") else { return "" }
        return text[separator.upperBound...].drop { $0 != "/" && $0 != "?" && $0 != "#" }
    }
}
