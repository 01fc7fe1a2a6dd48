import Conformance
import Preflight
import ReferenceProvider
import Synchronization

extension FailureCase {
    /// After the first consent, the provider accepts no further consent.
    static func brokenAccount(flows: [ResponseType]?) -> FailureCase {
        FailureCase(
            testDescription: "an account that is broken by its first consent" + (flows == nil ? "" : ", one flow"),
            provide: { settings in
                let consents = Mutex(0)
                settings.hook { hooks in
                    hooks.answer = { endpoint, answer in
                        guard endpoint == .consentPage else { return }
                        let number = consents.withLock { number in
                            number += 1
                            return number
                        }
                        guard number > 1 else { return }
                        answer = HTTPAnswer(status: 400, headers: [Field("Content-Type", "text/html")], body: [])
                        answer.text = "<!DOCTYPE html><title>Bad Request</title><h1>Something went wrong</h1>"
                    }
                }
            },
            make: { configuration in
                configuration.concurrency = 1
                if let flows { configuration.target.flows = flows }
            },
            signInStep: .signIn,
            message: "The test user can no longer sign in, although the run signed in before",
            advice: "whether the account, or its consents",
            signIns: 14,
            requests: 350,
            seconds: 60
        )
    }
}
