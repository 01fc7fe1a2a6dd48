/// The environment variables of the two programs.
package enum ProgramVariables {
    /// The prefix of the variable of each option: `OIDC_PREFLIGHT_FAIL_ON` for `--fail-on`.
    package static let prefix = "OIDC_PREFLIGHT_"

    /// Secrets, which no option accepts.
    package static let secrets = ["ACCESS_TOKEN", "CODE", "CLIENT_SECRET", "SESSION_KEY"].map { prefix + $0 }

    /// Variables without an option: secrets, and settings of builds, tests and pipelines.
    package static let others =
        secrets
        + ["CA_BUNDLE", "FAULTS", "INTEROP", "LEAKS", "PYTHON", "RECORD", "REPORTS", "REPOSITORY"].map { prefix + $0 }
}
