package import Conformance

/// All checks, in the order of the stages.
package enum Catalogue {
    package static let all: [Check] = stages.flatMap { stage, checks in checks.map { Check($0, in: stage) } }

    private static let stages: [(Stage, [Check])] = [
        (.discovery, DiscoveryChecks.all), (.keys, KeysChecks.all), (.transport, TransportChecks.all),
        (.authorization, AuthorizationChecks.all), (.token, TokenChecks.all), (.idtoken, IDTokenChecks.all),
        (.userinfo, UserInfoChecks.all), (.revocation, RevocationChecks.all), (.introspection, IntrospectionChecks.all),
        (.registration, RegistrationChecks.all), (.logout, LogoutChecks.all), (.platform, PlatformChecks.all),
    ]
}
