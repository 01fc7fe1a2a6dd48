/// The browsers of a run: a few processes, lent to one scenario at a time and empty for each.
package actor Browsers {
    package nonisolated let options: BrowserOptions
    /// A sentence for the user about how the browsers run; `nil` if there is nothing to say.
    package nonisolated let warning: String?
    private let start: Start
    private var bounds: BrowserBounds
    private var idle: [BrowserSession] = []
    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter unreachable: Hosts with ports that no browser is to reach: those of the redirect URIs that are known.
    package init(_ programs: BrowserPrograms, _ options: BrowserOptions, unreachable: Set<String> = []) {
        self.init(options, unreachable, warning: programs.kind.warning) { bounds throws(BrowserFailure) in
            try await BrowserSession.start(programs, options, bounds)
        }
    }

    /// Starts a browser that knows the bounds.
    typealias Start = @Sendable (BrowserBounds) async throws(BrowserFailure) -> BrowserSession

    init(_ options: BrowserOptions, _ unreachable: Set<String> = [], warning: String? = nil, start: @escaping Start) {
        self.options = options
        self.warning = warning
        self.start = start
        bounds = BrowserBounds(unreachable: unreachable, schemes: [], trusted: [])
        places = max(1, options.mostAtOnce)
    }

    /// Waits for a browser with these bounds; the caller must return it with ``release(_:isUsable:)``.
    package func acquire(_ wanted: BrowserBounds) async throws(BrowserFailure) -> BrowserSession {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
        bounds = bounds.joined(with: wanted)
        if let session = idle.popLast() {
            if session.bounds.covers(wanted) { return session }
            await session.stop()
        }
        do throws(BrowserFailure) {
            return try await start(bounds)
        } catch {
            leave()
            throw error
        }
    }

    /// Returns a browser for the next caller.
    ///
    /// - Parameter isUsable: False for one that failed, which is ended.
    package func release(_ session: BrowserSession, isUsable: Bool) async {
        if isUsable { idle.append(session) } else { await session.stop() }
        leave()
    }

    private func leave() {
        if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
    }

    /// Ends the unused browsers.
    package func stop() async {
        let all = idle
        idle = []
        for session in all { await session.stop() }
    }
}
