internal import CommandTable
internal import Conformance
internal import Console
internal import Dispatch
internal import FoundationEssentials
internal import ProviderTable
internal import ReferenceProvider

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Runs a provider for `demo`: it describes itself in one line and runs until its standard input ends, so that it does not
/// outlive its parent.
enum DemonstrationCommand {
    static let command = Command(
        ProviderProgram.demonstration,
        "Run the reference provider for a demonstration.",
        examples: [],
        arguments: [persona, isFaulty],
        isHidden: true,
        run: { invocation in try await show(invocation[persona], isFaulty: invocation[isFaulty]) }
    )

    private static let persona: Argument<Persona> = .operand(.word("PERSONA"), "The kind of provider.")
    private static let isFaulty: Argument<Bool> = .flag(
        "--faults",
        group: "PROVIDER",
        "Add the faults of the demonstration."
    )

    private static func show(_ persona: Persona, isFaulty: Bool) async throws {
        // Ctrl-C reaches every program of the terminal; the parent handles it and stops this one.
        signal(SIGINT, SIG_IGN)
        let faults = try isFaulty ? persona.demonstration.map { id in try Kind<Fault>.fault.read(id).get() } : []
        let provider = try await ReferenceProvider.start(ReferenceProviderConfiguration(persona, faults: faults))
        let line = try JSONEncoder().encode(description(of: provider, faults))
        Terminal.printVerbatim(String(decoding: line, as: UTF8.self))
        await endOfInput()
        await provider.stop()
    }

    private static func endOfInput() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async {
                    while let read = try? Bytes.read(from: STDIN_FILENO, atMost: 1 << 16), !read.isEmpty {}
                    continuation.resume()
                }
        }
    }

    private static func description(of provider: ReferenceProvider, _ faults: [Fault]) -> RunningProvider {
        let persona = provider.persona
        let target = provider.target(faults)
        let clients = target.allClients.map(\.id)
        return RunningProvider(
            tool: Tool.nameAndVersion,
            port: provider.port,
            certificateAuthorityPEM: provider.certificateAuthorityPEM,
            target: target,
            profile: persona.profile,
            username: persona.credentials.username,
            password: persona.credentials.password.reveal(),
            clientSecrets: byClient(clients) { persona.clientSecret($0)?.reveal() },
            clientKeys: byClient(clients, persona.clientKeyPEM),
            initialAccessToken: persona.initialAccessToken?.reveal(),
            hostName: persona.hostName,
            addresses: persona.addresses,
            expectedWarnings: persona.expectedWarnings,
            failures: persona.failures,
            faults: faults.map { RunningProvider.Fault(title: $0.title, checks: [$0.trips] + $0.also) },
            canShowFaults: !persona.demonstration.isEmpty
        )
    }

    private static func byClient(_ clients: [String], _ value: (String) -> String?) -> [String: String] {
        Dictionary(clients.compactMap { id in value(id).map { (id, $0) } }) { first, _ in first }
    }
}
