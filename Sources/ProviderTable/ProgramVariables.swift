/// The variables of the environment that belong to the two programs.
package enum ProgramVariables {
    /// What the variable of each option begins with: `--fail-on` is `OIDC_PREFLIGHT_FAIL_ON`.
    package static let prefix = "OIDC_PREFLIGHT_"

    /// Secrets, which no option takes.
    package static let secrets = ["ACCESS_TOKEN", "CODE", "CLIENT_SECRET", "SESSION_KEY"].map { prefix + $0 }

    /// Those that stand for no option: secrets, and what builds, tests and pipelines are told.
    package static let others =
        secrets
        + ["CA_BUNDLE", "FAULTS", "INTEROP", "LEAKS", "PYTHON", "RECORD", "REPORTS", "REPOSITORY"].map { prefix + $0 }
}
