import Conformance
internal import SignIn
import Synchronization

/// The sign-ins of all users in the runs of one collection, one run after the other.
package final class SignInHistory: Sendable {
    private struct User: Hashable {
        let issuer: String
        let name: String?
        let password: Secret?
    }

    private let users = Mutex<[User: EarlierSignIns]>([:])

    package init() {}

    /// The earlier sign-ins with these credentials.
    func past(at issuer: String, _ name: String?, _ password: Secret?) -> EarlierSignIns {
        users.withLock { users in
            let user = User(issuer: issuer, name: name, password: password)
            let past = users[user] ?? EarlierSignIns()
            users[user] = past
            return past
        }
    }
}
