internal import ArgumentParser
internal import Preflight

/// The program: one subcommand a file under `Commands`.
@main
struct OIDCPreflight: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Tool.name,
        abstract: "Says whether sign-in with an OpenID Provider will work, before it is registered.",
        discussion: """
            EXAMPLES
              oidc-preflight check https://idp.example.com
                    the public documents, keys and TLS; sends no credentials
              oidc-preflight init https://idp.example.com
                    writes a preflight.yaml to fill in
              oidc-preflight check --config preflight.yaml --report junit=preflight.xml
                    signs a test user in and judges what comes back
              oidc-preflight lint --discovery openid-configuration.json --jwks jwks.json
                    documents from files, before they are deployed
              oidc-preflight checks explain discovery.issuer.matches-request

            EXIT CODES
              0  the gate is open      64  usage or configuration error; nothing was sent
              1  the gate is closed    70  a defect of this program
              2  could not judge      130  interrupted; the reports are complete files
            """,
        version: Tool.nameAndVersion,
        subcommands: [
            CheckCommand.self, JudgeCommand.self, RegisterCommand.self, LintCommand.self, TokenCommand.self,
            PlanCommand.self,
            ChecksCommand.self, ProfilesCommand.self, ProviderCommand.self, DemoCommand.self, DoctorCommand.self,
            InitCommand.self,
        ]
    )
}
