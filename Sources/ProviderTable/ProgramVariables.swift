/// The variables of the environment that belong to the two programs.
package enum ProgramVariables {
    /// What the variable of each option begins with: `--fail-on` is `OIDC_PREFLIGHT_FAIL_ON`.
    package static let prefix = "OIDC_PREFLIGHT_"

    /// Those that stand for no option: secrets of `token`, which no option takes, and what builds, tests and pipelines are told.
    package static let others =
        ["ACCESS_TOKEN", "CODE", "CLIENT_SECRET", "SESSION_KEY"].map { prefix + $0 }
        + ["CA_BUNDLE", "FAULTS", "INTEROP", "LEAKS", "PYTHON", "RECORD", "REPORTS", "REPOSITORY"].map { prefix + $0 }
}
