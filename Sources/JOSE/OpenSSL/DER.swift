/// The convention of OpenSSL's `i2d` functions: without a buffer they return the length, with one they fill it.
enum DER {
    static func encoded(_ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) -> [UInt8]? {
        let length = write(nil)
        guard length > 0 else {
            OpenSSLError.discard()
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let written = bytes.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress
            return write(&start)
        }
        return written == length ? bytes : nil
    }
}
