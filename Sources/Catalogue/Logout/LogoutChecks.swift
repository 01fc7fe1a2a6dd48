package import Conformance

/// The checks of this stage, subject by subject.
package enum LogoutChecks {
    package static let all: [Check] =
        LogoutMetadataChecks.all + LogoutAnnouncementChecks.all + ClientLogoutChecks.all
        + LogoutPrecisionChecks.all + BackChannelChecks.all + BackChannelSubjectChecks.all
}
