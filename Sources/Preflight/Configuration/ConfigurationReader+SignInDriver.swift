internal import Browsing
internal import Flows
internal import Profiles
internal import SignIn

/// Reads the sign-in driver: `sign_in.driver`, `sign_in.browser` and `sign_in.page_timeout`.
extension ConfigurationReader {
    func readDriver(_ mapping: StrictYAML.Mapping, into configuration: inout Configuration) {
        defer { configuration.signInSettings.driver = driver ?? configuration.signInSettings.driver }
        if let value = mapping[Keys.SignIn.driver], let word = value.string() {
            if let driver = SignInDriver(rawValue: word) {
                configuration.signInSettings.driver = driver
            } else {
                let known = SignInDriver.allCases.map(\.rawValue)
                value.report("“\(word)” is not a sign-in driver" + NearestWord.hint(for: word, among: known))
            }
        }
        if let value = mapping[Keys.SignIn.browser], let word = value.string() {
            configuration.signInSettings.wantedBrowser = BrowserKind(rawValue: word)
            if configuration.signInSettings.wantedBrowser == nil {
                let known = BrowserKind.allCases.map(\.rawValue)
                value.report("“\(word)” is not a supported browser" + NearestWord.hint(for: word, among: known))
            }
        }
        if let value = mapping[Keys.SignIn.manualTimeout], let seconds = value.duration() {
            configuration.signInSettings.manualTimeout = seconds
            if seconds < 1 || seconds > 86_400 {
                value.report("\(value.path) must be from 1 s to 86400 s (one day)")
            }
        }
        if let value = mapping[Keys.SignIn.pageTimeout], let seconds = value.duration() {
            configuration.signInSettings.pageTimeout = seconds
            if seconds < 1 { value.report("\(value.path) must be at least 1 s") }
        }
    }
}
