/// Points of small order on the curves of RFC 7748 and RFC 8032, of which each curve has a handful.
///
/// With an Ed25519 or Ed448 key of that kind one signature verifies for many messages, and a key agreement with an X25519 or
/// X448 key of that kind always has the same result (RFC 7748 section 6).
enum SmallOrder {
    /// The encoded coordinate without the sign: values that are not reduced are there as well, since libraries take them.
    static func contains(_ bytes: [UInt8], on curve: Curve) -> Bool {
        guard bytes.count == curve.length, var last = bytes.last else { return false }
        // The highest bit of an Ed25519 key is the sign, and that of an X25519 key is ignored; Ed448 has a byte for it.
        if curve.length == 32 { last &= 0x7F }
        if curve.length == 57 { last = 0 }
        let unsigned = bytes.dropLast() + [last]
        return coordinates(of: curve).contains { $0.elementsEqual(unsigned) }
    }

    private static func coordinates(of curve: Curve) -> [[UInt8]] {
        switch curve {
        case .ed25519: near25519 + [order8(0), order8(1)]
        case .x25519: near25519 + [order8(2), order8(3)]
        case .ed448: near448.map { $0 + [0] }
        case .x448: near448
        case .p256, .p384, .p521: []
        }
    }

    /// 0, 1, p - 1, p and p + 1, little-endian, for p = 2^255 - 19.
    private static let near25519: [[UInt8]] =
        [0, 1].map { [$0] + Array(repeating: 0, count: 31) }
        + [0xEC, 0xED, 0xEE].map { [$0] + Array(repeating: 0xFF, count: 30) + [0x7F] }

    /// The same for p = 2^448 - 2^224 - 1.
    private static let near448: [[UInt8]] =
        [0, 1].map { [$0] + Array(repeating: 0, count: 55) }
        + [0xFE, 0xFF]
        .map { low in
            [low] + Array(repeating: 0xFF, count: 27) + [0xFE] + Array(repeating: 0xFF, count: 27)
        }
        + [Array(repeating: 0, count: 28) + Array(repeating: 0xFF, count: 28)]

    /// The points of order eight: two of edwards25519, two of curve25519.
    private static func order8(_ index: Int) -> [UInt8] {
        let digits = [
            "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
        ][index]
        .utf8.map { $0 < 0x61 ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension JWK {
    /// Whether this is an OKP key whose point has an order of eight or less, so that it protects nothing.
    package var isOfSmallOrder: Bool {
        guard keyType == .okp, let curve, let bytes = x else { return false }
        return SmallOrder.contains(bytes, on: curve)
    }
}
