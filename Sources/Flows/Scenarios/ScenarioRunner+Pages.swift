import Conformance
import SignIn

/// The report of the pages of a sign-in.
extension ScenarioRunner {
    /// The pages of a way without secrets and in bounded size, each with what was done there.
    func pages(of visits: [Visit]) async -> [VisitedPage] {
        var pages: [VisitedPage] = []
        var screenshots: [Int: [UInt8]] = [:]
        for visit in visits {
            // The fields filled to get here were on the page before.
            if let last = pages.indices.last, pages[last].done == nil {
                for name in visit.filled { pages[last].filled.append(await http.recorder.redact(name)) }
                if let button = visit.pressed { pages[last].pressed = await http.recorder.redact(button) }
            }
            guard let seen = visit.page else { continue }
            var page = VisitedPage(
                number: pages.count + 1,
                address: await http.recorder.redact(url: seen.address),
                status: seen.status,
                title: await http.recorder.redact(seen.title)
            )
            if let message = seen.message { page.message = await http.recorder.redact(message) }
            for field in seen.fields { page.fields.append(await http.recorder.redact(field)) }
            screenshots[page.number] = seen.screenshot
            pages.append(page)
        }
        return VisitedPage.bounded(pages)
            .map { page in
                var page = page
                page.screenshot = screenshots[page.number].flatMap { options.signInSettings.album?.add($0) }
                return page
            }
    }
}
