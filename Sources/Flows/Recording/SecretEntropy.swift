#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The entropy of a secret's characters: a number that may be recorded although the secret may not.
enum SecretEntropy {
    /// Shannon entropy of the value's bytes, in bits, rounded down.
    static func bits(of text: String) -> Int {
        var counts = [Int](repeating: 0, count: 256)
        for byte in text.utf8 { counts[Int(byte)] += 1 }
        let length = Double(text.utf8.count)
        let bits = counts.filter { $0 > 0 }.reduce(0.0) { $0 - Double($1) * log2(Double($1) / length) }
        return Int(bits)
    }
}
