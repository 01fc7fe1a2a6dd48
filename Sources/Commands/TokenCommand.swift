internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

internal import struct OIDCPreflight.PreparedRuns

enum TokenCommand {
    static let command = Command(
        "token",
        "Decode and check an ID Token.",
        text: [
            "Prints the header, claims, times and findings of the token, but never the signature. The token is read "
                + "from a file or standard input. An optional nonce, access token or code adds the checks of nonce, "
                + "at_hash or c_hash. The client secret adds HS256, HS384 and HS512 signatures. The key set "
                + "is checked as by lint. --profile adds the requirements of a platform."
        ],
        examples: [
            .init(
                "oidc-preflight token id_token.txt --jwks jwks.json --issuer https://idp.example.com --client-id my-client"
            ),
            .init(
                "pbpaste | oidc-preflight token - --jwks https://idp.example.com/jwks --issuer https://idp.example.com "
                    + "--client-id my-client --nonce \"$NONCE\" --at 2026-11-21T12:00:00Z"
            ),
            .init(
                "oidc-preflight token id_token.txt --jwks jwks.json --issuer https://idp.example.com --client-id my-client "
                    + "--profile kubernetes,vault"
            ),
        ],
        arguments: [token, jwks, issuer, clientID, nonce] + SecretArgument.all.map(\.option) + [at] + Options.judging
            + Options.connection + Options.reports,
        sections: [
            .init(
                "SECRETS",
                [
                    "Other users of the machine can read command lines, so secrets are not accepted as options. Each one "
                        + "is read from a file or an environment variable:"
                ],
                terms: SecretArgument.all.map {
                    ($0.variable, "\($0.name), unless \($0.option.declaration.name) is given")
                }
            )
        ],
        withdrawn: Dictionary(
            uniqueKeysWithValues: SecretArgument.all.map { secret in
                let form =
                    "write \(secret.option.declaration.name) FILE (- is standard input), or set \(secret.variable)"
                return (secret.formerName, "other users can read a command line; \(form)")
            }
        ),
        objections: { invocation in
            let files = [invocation[token] ?? "-", invocation[jwks]] + SecretArgument.all.map { invocation[$0.option] }
            let readsTwice = files.count { $0 == "-" } > 1
            let problem = "only one input can be standard input: name files for the others"
            return Reports.objections(invocation) + (readsTwice ? [problem] : [])
        },
        run: run
    )

    fileprivate static let heading = "TOKEN"
    private static let token: Argument<String?> = .operand(
        optional: .file(),
        "The file with the token; - is standard input.",
        fallback: "standard input"
    )
    private static let jwks: Argument<String> = .required(
        "--jwks",
        .file("FILE|URL"),
        group: heading,
        "The key set: a file or a URL."
    )
    private static let issuer: Argument<String> = .required(
        "--issuer",
        .text("URL"),
        group: heading,
        "The issuer as it is registered."
    )
    private static let clientID: Argument<String> = .required(
        "--client-id",
        .text("ID"),
        group: heading,
        "The client ID that the token was issued to."
    )
    private static let nonce: Argument<String?> = .option(
        "--nonce",
        .text("NONCE"),
        group: heading,
        "The nonce sent in the authorization request."
    )
    private static let at: Argument<Moment?> = .option(
        "--at",
        .moment,
        group: heading,
        "The time of arrival: 2026-11-21T12:00:00Z or seconds since 1970.",
        fallback: "now"
    )

    private static func run(_ invocation: Invocation) async throws {
        let keys = invocation[jwks]
        guard keys.hasPrefix("http://") || keys.hasPrefix("https://") else {
            return try await judge(invocation) { token, _ in
                PreflightRun.tokenEvidence(token, keys: (keys, try Files.read(keys, as: .document).get()))
            }
        }
        try await ExitCodes.beforeSending {
            try await judge(invocation) { token, network in
                await Interruption.cancellable {
                    await PreflightRun.tokenEvidence(token, keysAddress: keys, configuration: network)
                }
            }
        }
    }

    /// - Parameter collect: Collects the evidence: the token with its key set.
    private static func judge(
        _ invocation: Invocation,
        _ collect: (SuppliedToken, Configuration) async throws -> Evidence
    ) async throws {
        let reports = Reports(invocation)
        try reports.prepare()
        let handed = try handed(invocation)
        var configuration = Configuration(judging: PreflightRun.tokenEvidence(handed, keys: nil))
        try configuration.route(by: invocation)
        // All input is validated before the key set is requested.
        let runs = try PreparedRuns(
            offlineInput: configuration,
            upTo: .full,
            RunOptions(invocation, only: PreflightRun.tokenChecks + PreflightRun.keySetChecks),
            Files.environment
        )
        var evidence = try await collect(handed, configuration)
        // A time that the user states may be long ago.
        if invocation[at] == nil, let fault = MachineClock.fault(showing: handed.receivedAt) {
            evidence = evidence.withheld(because: fault)
        }
        runs.targets[0].note(handed.secrets)
        try reports.conclude(
            runs,
            JointEvidence(evidence),
            preface: handed.decoded(isNow: invocation[at] == nil)
        )
    }

    private static func handed(_ invocation: Invocation) throws -> SuppliedToken {
        let file = invocation[token] ?? "-"
        return SuppliedToken(
            token: try SecretArgument.read(file, called: "token"),
            issuer: invocation[issuer],
            clientID: invocation[clientID],
            clientSecret: try SecretArgument.client.value(invocation),
            nonce: invocation[nonce],
            accessToken: try SecretArgument.accessToken.value(invocation),
            code: try SecretArgument.code.value(invocation),
            receivedAt: invocation[at]?.seconds ?? Terminal.now()
        )
    }
}

/// A secret that belongs to the token: from a file or a variable, never from the command line.
private struct SecretArgument: Sendable {
    let name: String
    let variable: String
    /// The removed option that accepted the secret itself.
    let formerName: String
    let option: Argument<String?>

    static let accessToken = SecretArgument("access token", "ACCESS_TOKEN", "The access token issued with it.")
    static let code = SecretArgument("code", "CODE", "The code issued with it.")
    static let client = SecretArgument("client secret", "CLIENT_SECRET", "The secret of the client.")
    static let all = [accessToken, code, client]

    private init(_ name: String, _ variable: String, _ help: String) {
        self.name = name
        self.variable = "OIDC_PREFLIGHT_" + variable
        formerName = "--" + name.replacing(" ", with: "-")
        option = .option(
            formerName + "-file",
            .file(),
            group: TokenCommand.heading,
            help + " - is standard input.",
            fallback: "the variable \(self.variable), if it is set"
        )
    }

    /// `nil` if there is neither a file nor a variable.
    func value(_ invocation: Invocation) throws -> Secret? {
        if let file = invocation[option] { return try Self.read(file, called: name) }
        return Terminal.environment(variable).flatMap { $0.isEmpty ? nil : Secret($0) }
    }

    static func read(_ file: String, called name: String) throws -> Secret {
        let text = String(decoding: try Files.read(file, as: .token).get(), as: UTF8.self).trimmingASCIISpace
        if text.isEmpty {
            throw ConfigurationError(file: file == "-" ? "standard input" : file, "contains no \(name)")
        }
        return Secret(text)
    }
}
