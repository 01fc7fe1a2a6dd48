internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

/// The pictures of pages that a command line asks for, and the folder that they are written to.
struct Pictures: Sendable {
    let album = PageAlbum()
    let folder: String

    /// `nil` where no folder is named: then no picture is taken.
    init?(_ invocation: Invocation) {
        guard let folder = invocation[Options.screenshots] ?? invocation[Options.reportFolder] else { return nil }
        self.folder = folder
    }

    /// - Parameter folder: Where they are written, `nil` for nowhere.
    init?(folder: String?) {
        guard let folder else { return nil }
        self.folder = folder
    }

    private func path(_ number: Int) -> String {
        (folder.hasSuffix("/") ? folder : folder + "/") + MetPage.file(ofPicture: number)
    }

    /// Makes sure that pictures can be written, before a run is spent on them.
    func prepare() throws(FileError) { try Files.prepare(path(1)) }

    /// Whether a file lies in the folder of the pictures.
    func isBeside(_ file: String) -> Bool { Files.folder(of: file) == Files.folder(of: path(1)) }

    /// Writes the pictures of these numbers; says of one that could not be written why, and returns false.
    func write(_ numbers: [Int]) -> Bool {
        var isWhole = true
        for number in numbers {
            guard let picture = album.picture(number) else { continue }
            do {
                try Files.writePrivately(picture, to: path(number))
            } catch {
                Terminal.complain("A picture of a page was not written: \(error)")
                isWhole = false
            }
        }
        return isWhole
    }
}
