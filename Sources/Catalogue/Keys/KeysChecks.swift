package import Conformance

/// The checks of this stage, subject by subject.
package enum KeysChecks {
    package static let all: [Check] =
        KeySetResponseChecks.all + KeysEverywhereChecks.all + KeyChoiceChecks.all + KeyUseChecks.all
        + KeyMaterialChecks.all + KeyCertificateChecks.all
}
