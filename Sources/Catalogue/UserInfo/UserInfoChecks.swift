package import Conformance

/// The checks of this stage, subject by subject.
package enum UserInfoChecks {
    package static let all: [Check] =
        UserInfoResponseChecks.all + UserInfoClaimChecks.all + UserInfoScopeChecks.all + UserInfoMethodChecks.all
        + UserInfoRefusalChecks.all + UserInfoTokenChecks.all + SignedUserInfoChecks.all + EncryptedUserInfoChecks.all
}
