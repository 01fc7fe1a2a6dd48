import Synchronization

/// The screenshots of the pages where sign-ins stopped, while the program runs; by number, 1 for the first.
///
/// Kept by reference, since any scenario of any run may add to it.
package final class PictureAlbum: Sendable {
    private let pictures = Mutex<[[UInt8]]>([])
    /// More would come from a run in which every sign-in fails alike.
    private static let most = 200

    package init() {}

    /// Adds a screenshot, and returns its number; `nil` if the album is full.
    package func add(_ picture: [UInt8]) -> Int? {
        pictures.withLock { pictures in
            guard pictures.count < Self.most else { return nil }
            pictures.append(picture)
            return pictures.count
        }
    }

    /// The screenshot with a number.
    package func picture(_ number: Int) -> [UInt8]? {
        pictures.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
    }
}
