internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

extension Preflight {
    /// Where a configuration is written: the `preflight.yaml` that the command line reads as well.
    public struct ConfigurationSource: Sendable, Hashable {
        enum Place: Sendable, Hashable {
            case file
            case text(String)
        }

        let place: Place
        /// Its path, or how messages name it.
        let name: String

        /// A file.
        ///
        /// - Parameter path: Relative to the folder in which the process runs.
        public static func file(_ path: String) -> ConfigurationSource {
            ConfigurationSource(place: .file, name: path)
        }

        /// A text in YAML.
        ///
        /// - Parameters:
        ///   - text: What a file would hold.
        ///   - name: How messages name it, as in `preflight.yaml:7`.
        public static func text(_ text: String, named name: String = "preflight.yaml") -> ConfigurationSource {
            ConfigurationSource(place: .text(text), name: name)
        }
    }

    /// The variables that a configuration names, which hold its secrets.
    public struct Variables: Sendable {
        let value: @Sendable (String) -> String?
        let names: @Sendable () -> [String]

        /// Those of the process.
        public static let process = Variables(value: { Terminal.environment($0) }, names: { Terminal.environmentNames })

        /// These and no others.
        public static func values(_ values: [String: String]) -> Variables {
            Variables(value: { values[$0] }, names: { values.keys.sorted() })
        }
    }

    /// Begins a judgement of what a configuration describes: issuer, client, who signs in, and by whose rules.
    ///
    /// It is the run that `oidc-preflight check --config FILE` holds. What ``client(_:secret:redirectURI:flows:scopes:authentication:)`` and
    /// ``signingIn(as:password:)`` say takes the place of what the configuration says. Nobody is asked by hand.
    ///
    /// - Parameters:
    ///   - configuration: Where it is written.
    ///   - target: Which of its targets is meant; `nil` where it has none or one.
    ///   - profile: Whose rules the provider is judged by; the configuration's when `nil`, then ``Profile/Name/openid``.
    ///   - variables: What the configuration's variables hold.
    ///   - clock: The time that the run goes by.
    ///   - http: How requests reach the provider, beside what the configuration says of that.
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

    /// What the run is begun with: an issuer alone, or what the configuration says.
    func begun() throws(ConfigurationError) -> Configuration {
        switch beginning {
        case .issuer(let issuer):
            guard issuer.hasPrefix("https://") || issuer.hasPrefix("http://") else {
                throw ConfigurationError(
                    file: "issuer",
                    "\(issuer.quoted) is not an address: it begins with https://"
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
                    "\(source.name) has \(all.count) targets: name one of \(all.compactMap(\.name).joined(separator: ", "))"
                )
            }
            var configuration = all[0]
            if configuration.isByHand {
                throw ConfigurationError(file: "sign_in.driver", "the library asks nobody to sign in by hand")
            }
            try configuration.drive(by: nil, isShown: false)
            return configuration
        }
    }

    /// What the run reads of its surroundings: with an issuer alone no variables, and of files those that the program names.
    var environment: Environment {
        guard case .file(let source, _, let variables) = beginning else { return http.environment }
        return Environment(
            variable: variables.value,
            readFile: { path in
                if case .text(let text) = source.place, path == source.name { return .success(Array(text.utf8)) }
                return Files.read(path)
            },
            names: variables.names,
            permissions: { Files.permissions(of: $0) }
        )
    }
}
