internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

/// The screenshots of pages that a command line requests, and their folder.
struct Screenshots: Sendable {
    let album = PageAlbum()
    let folder: String

    /// `nil` if no folder is named; then there are no screenshots.
    init?(_ invocation: Invocation) {
        guard let folder = invocation[Options.screenshots] ?? invocation[Options.reportFolder] else { return nil }
        self.folder = folder
    }

    /// - Parameter folder: Their folder; `nil` for no screenshots.
    init?(folder: String?) {
        guard let folder else { return nil }
        self.folder = folder
    }

    private func path(_ number: Int) -> String {
        (folder.hasSuffix("/") ? folder : folder + "/") + VisitedPage.file(ofScreenshot: number)
    }

    /// Verifies before the run that screenshots can be written.
    func prepare() throws(FileError) { try Files.prepare(path(1)) }

    /// Whether a file is in the folder of the screenshots.
    func isBeside(_ file: String) -> Bool { Files.folder(of: file) == Files.folder(of: path(1)) }

    /// Writes the screenshots with these numbers; reports each failure, and then returns false.
    func write(_ numbers: [Int]) -> Bool {
        var isWhole = true
        for number in numbers {
            guard let screenshot = album.screenshot(number) else { continue }
            do {
                try Files.writePrivately(screenshot, to: path(number))
            } catch {
                Terminal.complain("A screenshot was not written: \(error)")
                isWhole = false
            }
        }
        return isWhole
    }
}
