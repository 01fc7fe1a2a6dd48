package import Conformance

/// The checks of this stage, subject by subject.
package enum IntrospectionChecks {
    package static let all: [Check] = IntrospectionAccessChecks.all + IntrospectionAnswerChecks.all
}
