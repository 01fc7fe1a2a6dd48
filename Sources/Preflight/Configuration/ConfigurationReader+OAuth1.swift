internal import Conformance
internal import Profiles

extension ConfigurationReader {
    /// Whether one of the profiles uses OAuth 1.0; unreadable profiles are reported elsewhere.
    func signsInByOAuth1(_ profiles: String?) -> Bool {
        (profiles.map(JointRun.profiles) ?? [])
            .contains { (try? environment.profiles.profile($0))?.parameters.usesOAuth1 ?? false }
    }
}
