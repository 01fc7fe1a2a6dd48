import Synchronization

/// The pictures of the pages at which sign-ins did not get through, while a program runs; by number, 1 for the first.
///
/// Kept by reference, since any conversation of any run may add to it.
package final class PictureAlbum: Sendable {
    private let pictures = Mutex<[[UInt8]]>([])
    /// More are of a run in which every sign-in fails alike.
    private static let most = 200

    package init() {}

    /// Takes in a picture, and returns its number; `nil` where there is no room.
    package func add(_ picture: [UInt8]) -> Int? {
        pictures.withLock { pictures in
            guard pictures.count < Self.most else { return nil }
            pictures.append(picture)
            return pictures.count
        }
    }

    /// The picture of a number.
    package func picture(_ number: Int) -> [UInt8]? {
        pictures.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
    }
}
