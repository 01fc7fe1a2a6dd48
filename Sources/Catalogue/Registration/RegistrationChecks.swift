package import Conformance

/// The checks of this stage, subject by subject.
package enum RegistrationChecks {
    package static let all: [Check] =
        RegistrationResponseChecks.all + ClientCredentialChecks.all + WrongRegistrationChecks.all
        + RegistrationErrorChecks.all + ClientManagementChecks.all + RegisteredClientChecks.all
        + ServedDocumentChecks.all
}
