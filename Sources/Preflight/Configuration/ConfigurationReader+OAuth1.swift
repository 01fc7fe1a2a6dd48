internal import Conformance
internal import Profiles

extension ConfigurationReader {
    /// Whether one of the profiles' platforms signs people in by OAuth 1.0; what cannot be read is told of elsewhere.
    func signsInByOAuth1(_ profiles: String?) -> Bool {
        (profiles.map(JointRun.names) ?? [])
            .contains { (try? environment.profiles.profile($0))?.parameters.usesOAuth1 ?? false }
    }
}
