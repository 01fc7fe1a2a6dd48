import COpenSSL

/// Copies of texts and bytes that keep their addresses until the storage is freed, and are wiped then.
struct StableStorage: ~Copyable {
    private var blocks: [UnsafeMutableRawBufferPointer] = []

    /// The text with a terminating zero.
    mutating func text(_ text: String) -> UnsafePointer<CChar>? {
        UnsafePointer(bytes(Array(text.utf8) + [0])?.assumingMemoryBound(to: CChar.self))
    }

    mutating func bytes(_ bytes: [UInt8]) -> UnsafeMutableRawPointer? {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
        block.copyBytes(from: bytes)
        blocks.append(block)
        return block.baseAddress
    }

    deinit {
        for block in blocks {
            OPENSSL_cleanse(block.baseAddress, block.count)
            block.deallocate()
        }
    }
}
