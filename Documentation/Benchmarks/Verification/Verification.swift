internal import JOSE
internal import JSONTree

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Verifies the tokens of a folder repeatedly and prints "NAME VERIFICATIONS-PER-CPU-SECOND"; `Peers/verify.c` does the same.
///
/// A single key is parsed once. A key set is parsed for each token, and the key that the header names verifies it.
@main
enum Verification {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else { fatalError("usage: verification-benchmark FOLDER") }
        let folder = CommandLine.arguments[1]
        for name in ["RS256", "ES256", "EdDSA"] {
            let token = try text(folder + "/\(name).jwt")
            guard let object = try JSONDocument.parse(bytes(folder + "/\(name).jwk")).root.objectValue else {
                fatalError("\(name).jwk is no object")
            }
            let key = try JWK(object).publicKey()
            print("\(name) \(try rate(200) { try JWS.parse(compact: token).verify(with: key) })")
        }
        let token = try text(folder + "/set.jwt")
        let set = try bytes(folder + "/set.jwks")
        let ofASet = try rate(5) {
            try JWS.parse(compact: token).verify(with: JWKSet(JSONDocument.parse(set).root))
        }
        print("set \(ofASet)")
    }

    /// Verifications per CPU second over about two seconds.
    private static func rate(_ atOnce: Int, _ verify: () throws -> Void) throws -> Int {
        for _ in 0..<atOnce { try verify() }
        let begin = cpuSeconds()
        var count = 0
        repeat {
            for _ in 0..<atOnce { try verify() }
            count += atOnce
        } while cpuSeconds() - begin < 2
        return Int(Double(count) / (cpuSeconds() - begin))
    }

    private static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

    private static func bytes(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rb") else { fatalError("\(path) cannot be read") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        return bytes
    }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
