import Conformance

/// The faults that mirror `Catalogue/Transport`.
extension Fault {
    package static let transport: [Fault] = [
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

    private static func certificate(_ trips: CheckID, _ title: String, _ kind: Hooks.ServerCertificate) -> Fault {
        Fault(trips, title, change: { $0.certificate = kind })
    }
}

extension HTTPAnswer {
    /// Moves `Date` by a number of seconds.
    fileprivate mutating func shiftDate(by seconds: Double) {
        let date = headers.first { $0.name == "Date" }.flatMap { HTTPDate.seconds($0.value) }
        if let date { setHeader("Date", HTTPDate.text(date + seconds)) }
    }
}
