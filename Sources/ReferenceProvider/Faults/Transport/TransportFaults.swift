import Conformance

/// The faults that mirror `Catalogue/Transport`.
extension Fault {
    package static let transport: [Fault] = connections + heads

    private static let heads: [Fault] = [
        head("names-are-tokens", "a header field has a space in its name") {
            $0.headers.append(Field("X Powered By", "preflight"))
        },
        head("lines-are-well-formed", "a header field continues on the next line") {
            $0.setHeader("X-Folded", "one\r\n two")
        },
        head("has-at-most-100-fields", "a response has 120 header fields") { answer in
            answer.headers += (1...120).map { Field("X-Field-\($0)", "x") }
        },
        head("content-length-is-a-number", "Content-Length has its number twice") {
            $0.setHeader("Content-Length", "\($0.body.count), \($0.body.count)")
        },
        head("content-length-is-stated-once", "Content-Length is sent twice") {
            let length = Field("Content-Length", "\($0.body.count)")
            $0.headers += [length, length]
        },
        head("transfer-encoding-is-chunked", "Transfer-Encoding has chunked twice") {
            $0.setHeader("Transfer-Encoding", "chunked, chunked")
            $0.body = chunked($0.body)
        },
        head("framing-is-stated-once", "a response has Content-Length and Transfer-Encoding") {
            $0.setHeader("Content-Length", "\($0.body.count)")
            $0.setHeader("Transfer-Encoding", "chunked")
            $0.body = chunked($0.body)
        },
        head("is-at-most-64-kib", "a response has a header of 70 kB") {
            $0.setHeader("X-Padding", String(repeating: "a", count: 70_000))
        },
        head("is-at-most-16-kib", "a response has a header of 20 kB") {
            $0.setHeader("X-Padding", String(repeating: "a", count: 20_000))
        },
        head("content-encoding-is-gzip", "a response has the coding x-gzip") {
            $0.setHeader("Content-Encoding", "x-gzip")
            $0.body = Gzip.stored($0.body)
        },
        head("content-encoding-was-requested", "every response is compressed") {
            $0.setHeader("Content-Encoding", "gzip")
            $0.body = Gzip.stored($0.body)
        },
    ]

    private static let connections: [Fault] = [
        certificate(
            "transport.certificate.is-trusted",
            "the certificate is issued by an untrusted authority",
            .untrusted
        ),
        certificate(
            "transport.intermediates.are-sent",
            "the intermediate certificate is not sent",
            .intermediateMissing
        ),
        certificate("transport.certificate.names-the-host", "the certificate is for another host", .wrongName),
        certificate(
            "transport.certificate.has-alternative-names",
            "the certificate names the host only in its common name",
            .commonNameOnly
        ),
        certificate("transport.certificate.is-not-expired", "the certificate has expired", .expired),
        certificate("transport.certificate.is-already-valid", "the certificate is not yet valid", .notYetValid),
        certificate("transport.certificate.lasts-two-weeks", "the certificate expires within a few days", .expiresSoon),
        Fault(
            "transport.protocol.is-tls-1-2-or-newer",
            "the server supports no version newer than TLS 1.1",
            change: { $0.tlsVersions = .obsolete }
        ),
        Fault(
            "transport.authority.is-public",
            "a public host has a certificate from a private authority",
            persona: .publicName
        ),
        Fault(
            "transport.answers.are-no-server-errors",
            "every request for the key set after the first returns status 500",
            change: { hooks in
                let call = FirstCall()
                hooks.answer = { endpoint, answer in
                    if endpoint == .keys, !call.isFirst() {
                        answer = HTTPAnswer(status: 500, headers: [], body: [])
                    }
                }
            }
        ),
        Fault(
            "transport.strict-transport-security.is-sent",
            "responses have no Strict-Transport-Security",
            change: { hooks in
                hooks.answer = { _, answer in answer.setHeader("Strict-Transport-Security", nil) }
            }
        ),
        Fault(
            "transport.addresses.all-answer",
            "nothing listens at the second address",
            persona: .publicName,
            change: { hooks in
                hooks.listens = { $0 != Persona.publicName.addresses.last }
            }
        ),
        Fault(
            "transport.clock.is-right-at-every-endpoint",
            variant: "token",
            "the clock of the token endpoint's server is 30 seconds behind",
            change: { hooks in
                hooks.answer = { endpoint, answer in
                    if endpoint == .token { answer.shiftDate(by: -30) }
                }
            }
        ),
        Fault(
            "transport.clock.is-right-at-every-endpoint",
            "the clock of the key set's server is an hour ahead",
            change: { hooks in
                hooks.answer = { endpoint, answer in
                    if endpoint == .keys { answer.shiftDate(by: 3_600) }
                }
            }
        ),
    ]

    /// A change of the discovery document's response.
    private static func head(
        _ statement: String,
        _ title: String,
        also: [CheckID] = [],
        _ edit: @escaping @Sendable (inout HTTPAnswer) -> Void
    ) -> Fault {
        .answer(of: .discovery, CheckID("transport.head." + statement), title, also: also, edit)
    }

    /// The body in one chunk (RFC 9112 section 7.1).
    private static func chunked(_ body: [UInt8]) -> [UInt8] {
        Array((String(body.count, radix: 16) + "\r\n").utf8) + body + Array("\r\n0\r\n\r\n".utf8)
    }

    private static func certificate(_ trips: CheckID, _ title: String, _ kind: Hooks.ServerCertificate) -> Fault {
        Fault(trips, title, change: { $0.certificate = kind })
    }
}

/// The coding gzip (RFC 1952) without compression.
enum Gzip {
    static func stored(_ content: [UInt8]) -> [UInt8] {
        var blocks: [UInt8] = []
        var rest = content[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            // RFC 1951 section 3.2.4: the last block has the first bit.
            blocks += [rest.isEmpty ? 1 : 0] + bytes(length) + bytes(~length) + block
        } while !rest.isEmpty
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] + blocks + bytes(checksum(content)) + bytes(UInt32(content.count))
    }

    /// Least significant byte first.
    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        stride(from: 0, to: number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// CRC-32 (RFC 1952 section 8).
    private static func checksum(_ content: [UInt8]) -> UInt32 {
        ~content.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}

extension HTTPAnswer {
    /// Moves `Date` by a number of seconds.
    fileprivate mutating func shiftDate(by seconds: Double) {
        let date = headers.first { $0.name == "Date" }.flatMap { HTTPDate.seconds($0.value) }
        if let date { setHeader("Date", HTTPDate.text(date + seconds)) }
    }
}
