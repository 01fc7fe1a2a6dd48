package import Conformance

/// All checks of this stage.
package enum RegistrationChecks {
    package static let all: [Check] =
        RegistrationResponseChecks.all + ClientCredentialChecks.all + WrongRegistrationChecks.all
        + RegistrationErrorChecks.all + ClientManagementChecks.all + RegisteredClientChecks.all
        + ServedDocumentChecks.all + HostRegistrationChecks.all + ClientDocumentChecks.all
}
