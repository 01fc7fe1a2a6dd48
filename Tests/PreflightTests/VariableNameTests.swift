import Preflight
import Testing

@Suite(.timeLimit(.minutes(5))) struct VariableNameTests {
    @Test(
        "a text that is neither set nor a usual name is rejected, and not repeated",
        arguments: [
            ("OIDC_CLIENT_SECRET", false, true), ("_A1", false, true), ("oidc_secret", true, true),
            ("SECRET", false, true), ("JBSWY3DPEHPK3PXP", false, false), ("JBSWY3DPEHPK3PXP", true, true),
            ("oJ0w3sQx", false, false), ("oidc_secret", false, false), ("s3cr-et", true, false), ("1A", false, false),
            ("$OIDC_CLIENT_SECRET", false, false), ("GEHEIMNIß", false, false), ("", false, false),
        ]
    )
    func names(text: String, isSet: Bool, isAccepted: Bool) {
        let problem = VariableName.problem(in: text, isSet: isSet, suggested: "OIDC_PASSWORD")
        #expect((problem == nil) == isAccepted, "\(problem ?? "")")
        if let problem {
            #expect(problem.hasSuffix("enter the NAME of the variable (Return: OIDC_PASSWORD)."))
            #expect(text.isEmpty || !problem.contains(text))
        }
    }
}
