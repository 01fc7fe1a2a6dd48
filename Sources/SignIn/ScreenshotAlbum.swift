import Synchronization

/// The screenshots of the pages where sign-ins stopped, while the program runs; by number, 1 for the first.
///
/// It is a reference type, because any scenario of any run may add a screenshot.
package final class ScreenshotAlbum: Sendable {
    private let screenshots = Mutex<[[UInt8]]>([])
    /// More would come from a run in which every sign-in fails alike.
    private static let most = 200

    package init() {}

    /// Adds a screenshot, and returns its number; `nil` if the album is full.
    package func add(_ screenshot: [UInt8]) -> Int? {
        screenshots.withLock { screenshots in
            guard screenshots.count < Self.most else { return nil }
            screenshots.append(screenshot)
            return screenshots.count
        }
    }

    /// The screenshot with a number.
    package func screenshot(_ number: Int) -> [UInt8]? {
        screenshots.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
    }
}
