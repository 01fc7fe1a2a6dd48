import Browsing
import Transport

/// A sign-in that a user completes in the browser, watched until the redirect URI is reached.
extension SignInSession {
    func watch(
        _ browser: BrowserSession,
        _ recorder: SignInRecorder,
        _ url: WebURL,
        _ journey: inout Journey
    ) async throws(BrowserFailure) -> SignInOutcome {
        var stay = BrowserPageState(
            hop: Hop(request: HTTPRequest(url: url.textBeforeFragment), cause: .shown),
            page: url
        )
        try await browser.watch()
        try await browser.open(url.textBeforeFragment)
        let end = ContinuousClock.now + .seconds(recorder.timeLimit)
        while true {
            try goOn()
            try await browser.readLog()
            await noteRefusals(browser, stay)
            let outcome = await judge(browser, &stay, &journey)
            recorder.note(try await browser.actions())
            if let outcome {
                await record(browser, &stay, &journey)
                return outcome
            }
            // A watched user navigates freely.
            if await !browser.network.isUnderWay { journey.redirectsInARow = 0 }
            guard ContinuousClock.now < end else {
                throw BrowserFailure("the redirect URI was not reached within \(Int(recorder.timeLimit)) s")
            }
            try? await Task.sleep(nanoseconds: 50_000_000)
        }
    }
}
