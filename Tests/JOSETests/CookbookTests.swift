import FoundationEssentials
import JOSE
import JSONTree
import Testing

/// The examples of RFC 7520, RFC 8037 and RFC 7797 from the JOSE cookbook, in every serialisation they are given in.
@Suite(.timeLimit(.minutes(5))) struct CookbookTests {
    private func files(_ folder: String) throws -> [(name: String, root: JSON)] {
        let path = Fixtures.folder.appending(path: "rfc7520-cookbook/\(folder)").path()
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            .map { name in
                (name, try Fixtures.json("rfc7520-cookbook/\(folder)/\(name)"))
            }
    }

    private func text(_ value: JSON?) -> String { value?.stringValue ?? "" }

    /// The keys of an example, one or several.
    private func keys(_ root: JSON) throws(JOSEError) -> [KeyMaterial] {
        var result: [KeyMaterial] = []
        for value in root["input"]?["key"]?.arrayValue ?? [root["input"]?["key"] ?? .null] {
            guard let jwk = JWK(value) else { throw JOSEError(.malformed, "no key") }
            result.append(try jwk.key())
        }
        return result
    }

    /// The compact serialisations of an example: no provider issues the others (Core section 2).
    private func compact(_ root: JSON) -> [(name: String, text: String)] {
        (root["output"]?.objectValue?.members ?? [])
            .compactMap { member in member.value.stringValue.map { (member.name, $0) } }
    }

    @Test func signatures() throws {
        var tally = Tally("rfc7520-cookbook/jws curve25519/jws.json rfc7797")
        let examples =
            try files("jws") + [("curve25519/jws.json", try Fixtures.json("rfc7520-cookbook/curve25519/jws.json"))]
            + files("rfc7797")
        for (name, root) in examples {
            let payload = Array(text(root["input"]?["payload"]).utf8)
            let isDetached = name.contains("detached")
            for (form, compact) in compact(root) {
                tally.judge("\(name) \(form)", accepts: true) { () throws(JOSEError) in
                    let jws = try JWS.parse(compact: compact, detachedPayload: isDetached ? payload : nil)
                    try jws.verify(with: try keys(root)[0])
                    if jws.payload != payload { throw JOSEError(.malformed, "another payload") }
                }
            }
        }
        tally.expect(run: 7)
    }

    @Test func `deterministic signatures come out the same`() throws {
        var tally = Tally("rfc7520-cookbook/jws curve25519/jws.json, signed again")
        let examples =
            try files("jws") + [("curve25519/jws.json", try Fixtures.json("rfc7520-cookbook/curve25519/jws.json"))]
        for (name, root) in examples {
            guard root["reproducible"] == true, let compact = root["output"]?["compact"]?.stringValue,
                let header = root["signing"]?["protected"]?.objectValue,
                let algorithm = JWSAlgorithm(rawValue: text(root["input"]?["alg"]))
            else {
                tally.skip(name, "not reproducible, or without a compact form")
                continue
            }
            tally.judge(name, accepts: true) { () throws(JOSEError) in
                let payload = Array(text(root["input"]?["payload"]).utf8)
                let token: String
                switch try keys(root)[0] {
                case .private(let key):
                    token = try JWS.sign(payload, with: key, algorithm: algorithm, exactHeader: header)
                case .symmetric(let key):
                    token = try JWS.sign(payload, with: key, algorithm: algorithm, exactHeader: header)
                case .public: throw JOSEError(.malformed, "no private key")
                }
                let parts = token.split(separator: ".")
                let expected = compact.split(separator: ".")
                if parts.first != expected.first || parts.last != expected.last {
                    throw JOSEError(.cryptography, "another token: \(token)")
                }
            }
        }
        tally.expect(run: 4, skipped: 5)
    }

    @Test func encryption() throws {
        var tally = Tally("rfc7520-cookbook/jwe curve25519/ecdh-es.json")
        let examples =
            try files("jwe")
            + [("curve25519/ecdh-es.json", try Fixtures.json("rfc7520-cookbook/curve25519/ecdh-es.json"))]
        for (name, root) in examples {
            let plaintext = Array(text(root["input"]?["plaintext"]).utf8)
            let algorithms = root["input"]?["alg"]?.strings ?? [text(root["input"]?["alg"])]
            for member in compact(root) {
                for (index, algorithm) in algorithms.enumerated() {
                    let id = "\(name) \(member.name) \(algorithm)"
                    if algorithm == "RSA1_5" {
                        tally.skip(id, "RSA1_5 is not implemented: deprecated, open to padding oracles")
                    } else if algorithm.hasPrefix("PBES2") {
                        tally.skip(
                            id,
                            "PBES2 is not implemented: clients of OpenID Connect register keys, not passwords"
                        )
                    } else if name.hasPrefix("5_9.") {
                        tally.skip(id, "the content is compressed, which is refused")
                    } else {
                        tally.judge(id, accepts: true) { () throws(JOSEError) in
                            let opened = try JWE.parse(compact: member.text).decrypt(with: try keys(root)[index])
                            if opened != plaintext { throw JOSEError(.cryptography, "another plaintext") }
                        }
                    }
                }
            }
        }
        tally.expect(run: 7, skipped: 3)
    }

    @Test func `keys and what is made from them`() throws {
        var tally = Tally("rfc7520-cookbook/jwk")
        for (name, root) in try files("jwk") {
            tally.judge(name, accepts: true) { () throws(JOSEError) in
                guard let jwk = JWK(root) else { throw JOSEError(.malformed, "not an object") }
                let again: JWK
                switch try jwk.key() {
                case .public(let key): again = key.jwk()
                case .private(let key): again = key.jwk()
                case .symmetric(let key): again = key.jwk()
                }
                // Members may come in another order and no others may be there.
                let same = again.object.members.allSatisfy { jwk.object[$0.name] == $0.value }
                if !same || again.object.count != jwk.object.count {
                    throw JOSEError(.cryptography, "another key: \(again.object.names)")
                }
            }
        }
        tally.expect(run: 6)
    }

    @Test func `a nested token`() throws {
        var tally = Tally("rfc7520-cookbook/6.nesting_signatures_and_encryption.json")
        let root = try Fixtures.json(tally.file)
        let encrypted = try #require(root["encrypt"])
        let signed = try #require(root["sign"])
        for member in compact(encrypted) {
            tally.judge(member.name, accepts: true) { () throws(JOSEError) in
                let jwe = try JWE.parse(compact: member.text)
                let token = String(decoding: try jwe.decrypt(with: try keys(encrypted)[0]), as: UTF8.self)
                let jws = try JWS.parse(compact: token)
                try jws.verify(with: try keys(signed)[0], algorithm: .ps256)
                if String(decoding: jws.payload, as: UTF8.self) != text(signed["input"]?["payload"]) {
                    throw JOSEError(.malformed, "another payload")
                }
            }
        }
        tally.expect(run: 1)
    }
}
