internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

extension Preflight {
    /// The source of a configuration in the format of `preflight.yaml`.
    public struct ConfigurationSource: Sendable, Hashable {
        enum Place: Sendable, Hashable {
            case file
            case text(String)
        }

        let place: Place
        /// Its path or its name in messages.
        let name: String

        /// A file.
        ///
        /// - Parameter path: Relative to the working folder of the process.
        public static func file(_ path: String) -> ConfigurationSource {
            ConfigurationSource(place: .file, name: path)
        }

        /// A text in YAML.
        ///
        /// - Parameters:
        ///   - text: The content.
        ///   - name: Its name in messages, as in `preflight.yaml:7`.
        public static func text(_ text: String, named name: String = "preflight.yaml") -> ConfigurationSource {
            ConfigurationSource(place: .text(text), name: name)
        }
    }

    /// The variables that contain the secrets of a configuration.
    public struct Variables: Sendable {
        let value: @Sendable (String) -> String?
        let names: @Sendable () -> [String]

        /// The environment variables of the process.
        public static let process = Variables(value: { Terminal.environment($0) }, names: { Terminal.environmentNames })

        /// Only these variables.
        public static func values(_ values: [String: String]) -> Variables {
            Variables(value: { values[$0] }, names: { values.keys.sorted() })
        }
    }

    /// Creates a run from a configuration: issuer, client, test user and profile.
    ///
    /// It is the run of `oidc-preflight check --config FILE`. ``client(_:secret:redirectURI:flows:scopes:authentication:)`` and
    /// ``signingIn(as:password:)`` override the configuration. Manual sign-ins are not supported.
    ///
    /// - Parameters:
    ///   - configuration: The source of the configuration.
    ///   - target: The target to use; `nil` if the configuration has none or one.
    ///   - profile: The profile; `nil` for the configuration's, then ``Profile/Name/openid``.
    ///   - variables: The values of the configuration's variables.
    ///   - clock: The clock of the run.
    ///   - http: How requests reach the provider, in addition to the configuration.
    public init(
        configuration: ConfigurationSource,
        target: String? = nil,
        profile: Profile.Name? = nil,
        variables: Variables = .process,
        clock: Clock = .system,
        http: HTTP = .libcurl
    ) {
        self.init(.file(configuration, target: target, variables: variables), profile, clock, http)
    }

    /// The start of the run: an issuer alone, or a configuration.
    func begun() throws(ConfigurationError) -> Configuration {
        switch runSource {
        case .issuer(let issuer):
            guard issuer.hasPrefix("https://") || issuer.hasPrefix("http://") else {
                throw ConfigurationError(
                    file: "issuer",
                    "\(issuer.quoted) is not an address: it must start with https://"
                )
            }
            return Configuration(target: Target(issuer: issuer))
        case .file(let source, let target, _):
            let all = try Configuration.read(
                source.name,
                by: ConfigurationReader(environment),
                environment,
                targets: target.map { [$0] } ?? [],
                profile: profile?.rawValue
            )
            guard all.count == 1 else {
                throw ConfigurationError(
                    file: "target:",
                    "\(source.name) has \(all.count) targets: select one of \(all.compactMap(\.name).joined(separator: ", "))"
                )
            }
            var configuration = all[0]
            if configuration.isByHand {
                throw ConfigurationError(file: "sign_in.driver", "the library does not support manual sign-ins")
            }
            try configuration.drive(by: nil, isShown: false)
            return configuration
        }
    }

    /// The environment of the run; an issuer alone has no variables, and only files named in the program.
    var environment: Environment {
        guard case .file(let source, _, let variables) = runSource else { return http.environment }
        return Environment(
            variable: variables.value,
            readFile: { path, input in
                if case .text(let text) = source.place, path == source.name { return .success(Array(text.utf8)) }
                return Files.read(path, as: input)
            },
            names: variables.names,
            permissions: { Files.permissions(of: $0) }
        )
    }
}
