package import Conformance

/// All checks of the UserInfo endpoint.
package enum UserInfoChecks {
    package static let all: [Check] =
        UserInfoResponseChecks.all + UserInfoClaimChecks.all + UserInfoScopeChecks.all + UserInfoMethodChecks.all
        + UserInfoRefusalChecks.all + UserInfoTokenChecks.all + SignedUserInfoChecks.all + EncryptedUserInfoChecks.all
}
