package import Conformance

/// Every check, stage by stage in the order of a conversation.
package enum Catalogue {
    package static let all: [Check] =
        DiscoveryChecks.all + KeysChecks.all + TransportChecks.all + AuthorizationChecks.all + TokenChecks.all
        + IDTokenChecks.all + UserInfoChecks.all + RevocationChecks.all + IntrospectionChecks.all
        + RegistrationChecks.all + LogoutChecks.all + PlatformChecks.all
}
