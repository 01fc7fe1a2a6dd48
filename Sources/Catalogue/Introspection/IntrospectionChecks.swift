package import Conformance

/// All checks of the introspection endpoint.
package enum IntrospectionChecks {
    package static let all: [Check] = IntrospectionAccessChecks.all + IntrospectionAnswerChecks.all
}
