import Conformance

/// Registration as an AI host (MCP client) requests it.
enum HostRegistrationChecks {
    static let publicLoopback = Check(
        "registration.public-loopback.is-accepted",
        "The provider registers public clients with loopback redirect URIs",
        // The provider decides which clients it registers (RFC 7591 section 3.2.1).
        .may,
        .signIn,
        Citation(.rfc8252, "7.3", "Native apps that are able to open a port on the loopback network interface"),
        why: "AI hosts (MCP clients) register this way. If the provider rejects it, their users cannot sign in.",
        reads: answer,
        finding: { subject, _ in
            guard !subject.isSuccess, !subject.isClosed else { return nil }
            return Finding(
                "The provider rejects the registration of a public client with loopback redirect URIs.",
                at: "/redirect_uris",
                expected: "status 201",
                found: subject.phrase,
                fix:
                    "Register clients with token_endpoint_auth_method none, the grant refresh_token, and http redirect "
                    + "URIs at 127.0.0.1 and localhost with any port."
            )
        }
    )

    static let all: [Check] = [publicLoopback]

    /// A rejection shows nothing if the provider also rejects the ordinary registration.
    private static let answer: Query<RegistrationResult> = {
        let query = RegistrationQueries.admitted(Registrations.answer(.publicLoopback))
        let baseline = RegistrationQueries.ordinary
        return query.narrowed(query.name, needing: baseline.needs) { sample, facts in
            guard baseline.samples(facts).first?.observation.value?.isSuccess != true,
                sample.observation.value?.isSuccess == false
            else { return sample }
            let why = "the provider also rejects the ordinary registration"
            return Sample(.notAttempted(why), label: sample.label, exchange: sample.exchange)
        }
    }()
}
