import JOSE
import Testing

@Suite(.timeLimit(.minutes(5))) struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("\u{3ff}\u{3ff}>>>???", "z7_Pvz4-Pj8_Pw"),
    ])
    func `base64url round trip (RFC 4648 section 10)`(_ text: String, _ encoded: String) throws {
        #expect(Base64URL.encode(Array(text.utf8)) == encoded)
        #expect(try Base64URL.decode(encoded) == Array(text.utf8))
    }

    @Test(
        arguments: [
            ("Zg==", .padding), ("Zm8=", .padding), ("Z=g", .character(offset: 1)),
            ("Zm+v", .standardAlphabet(offset: 2)),
            ("Zm/v", .standardAlphabet(offset: 2)), ("Zm9v\n", .character(offset: 4)), (" Zg", .character(offset: 0)),
            ("Z", .length), ("Zm9vY", .length), ("Zh", .trailingBits), ("Zm9", .trailingBits),
            ("Zé", .character(offset: 1)),
        ] as [(String, Base64Error)]
    )
    func `a base64url error gives the reason`(_ text: String, _ reason: Base64Error) {
        #expect(throws: reason) { try Base64URL.decode(text) }
    }

    @Test func `base64url of a token under test is read leniently`() {
        #expect(Base64URL.decodeLeniently("Zm8=") == Array("fo".utf8))
        #expect(Base64URL.decodeLeniently("+/8") == [0xFB, 0xFF])
        #expect(Base64URL.decodeLeniently("Zh") == Array("f".utf8))
        #expect(Base64URL.decodeLeniently("") == [])
        #expect(Base64URL.decodeLeniently("Z") == nil)
        #expect(Base64URL.decodeLeniently("Z m8") == nil)
    }

    @Test(arguments: [("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("", "")])
    func `base64 round trip`(_ encoded: String, _ text: String) throws {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(try Base64.decode(encoded) == Array(text.utf8))
    }

    @Test(
        arguments: [
            ("Zg", .length), ("Zg=", .length), ("Zm9v\n", .length), ("Zh==", .trailingBits),
            ("Zm-v", .urlAlphabet(offset: 2)), ("Z===", .padding), ("Zm9v====", .padding),
            ("====", .padding),
        ] as [(String, Base64Error)]
    )
    func `a base64 error gives the reason`(_ text: String, _ reason: Base64Error) {
        #expect(throws: reason) { try Base64.decode(text) }
    }
}
