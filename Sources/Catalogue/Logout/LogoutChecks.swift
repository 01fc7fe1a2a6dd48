package import Conformance

/// All checks of this stage.
package enum LogoutChecks {
    package static let all: [Check] =
        LogoutMetadataChecks.all + LogoutAnnouncementChecks.all + ClientLogoutChecks.all + LogoutConfirmationChecks.all
        + LogoutPrecisionChecks.all + BackChannelChecks.all + BackChannelSubjectChecks.all
}
