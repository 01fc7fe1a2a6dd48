import Conformance

/// The faults that mirror `Catalogue/Transport`.
extension Fault {
    package static let transport: [Fault] = [
        certificate("transport.certificate.is-trusted", "an authority that nobody trusts", .untrusted),
        certificate(
            "transport.intermediates.are-sent",
            "the intermediate certificate is not sent",
            .intermediateMissing
        ),
        certificate("transport.certificate.names-the-host", "a certificate for another host", .wrongName),
        certificate(
            "transport.certificate.has-alternative-names",
            "a certificate that names the host by its common name alone",
            .commonNameOnly
        ),
        certificate("transport.certificate.is-not-expired", "an expired certificate", .expired),
        certificate("transport.certificate.is-already-valid", "a certificate of next year", .notYetValid),
        certificate("transport.certificate.lasts-two-weeks", "a certificate for a few days more", .expiresSoon),
        Fault(
            "transport.protocol.is-tls-1-2-or-newer",
            "nothing newer than TLS 1.1",
            change: { $0.tlsVersions = .obsolete }
        ),
        Fault(
            "transport.authority.is-public",
            "a public host whose certificate only a private authority vouches for",
            persona: .publicName
        ),
        Fault(
            "transport.answers.are-no-server-errors",
            "the second and the third request for the key set fail",
            change: { seams in
                let turns = Alternation()
                seams.answer = { endpoint, answer in
                    // Two, because the second and the third are sent side by side.
                    if endpoint == .keys, turns.isSecondOrThird() {
                        answer = HTTPAnswer(status: 500, headers: [], body: [])
                    }
                }
            }
        ),
        Fault(
            "transport.strict-transport-security.is-sent",
            "no Strict-Transport-Security",
            change: { seams in
                seams.answer = { _, answer in answer.setHeader("Strict-Transport-Security", nil) }
            }
        ),
        Fault(
            "transport.addresses.all-answer",
            "nothing listens at the second address",
            persona: .publicName,
            change: { seams in
                seams.listens = { $0 != Persona.publicName.addresses.last }
            }
        ),
        Fault(
            "transport.clock.is-right-at-every-endpoint",
            variant: "token",
            "the clock of the token endpoint's server is 30 s behind",
            change: { seams in
                seams.answer = { endpoint, answer in
                    if endpoint == .token { answer.shiftDate(by: -30) }
                }
            }
        ),
        Fault(
            "transport.clock.is-right-at-every-endpoint",
            "the clock of the key set's server is an hour ahead",
            change: { seams in
                seams.answer = { endpoint, answer in
                    if endpoint == .keys { answer.shiftDate(by: 3_600) }
                }
            }
        ),
    ]

    private static func certificate(_ trips: CheckID, _ title: String, _ kind: Seams.ServerCertificate) -> Fault {
        Fault(trips, title, change: { $0.certificate = kind })
    }
}

extension HTTPAnswer {
    /// Dates the answer so many seconds later.
    fileprivate mutating func shiftDate(by seconds: Double) {
        let date = headers.first { $0.name == "Date" }.flatMap { HTTPDate.seconds($0.value) }
        if let date { setHeader("Date", HTTPDate.text(date + seconds)) }
    }
}
