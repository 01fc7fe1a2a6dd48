import FoundationEssentials
import Registering
import Testing

/// The committed registrations are current.
@Suite(.timeLimit(.minutes(5))) struct RegistrationSamplesTests {
    private static let isRecording = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1"

    @Test(arguments: RegistrationPlatform.allCases)
    func `a committed registration is current`(_ platform: RegistrationPlatform) throws {
        let name = "Reports/samples/registration/\(platform.sampleName)"
        let file = Reading.root.deletingLastPathComponent().appending(path: name)
        let written = try Samples.file(platform).text
        if Self.isRecording {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(written.utf8).write(to: file)
        }
        let committed = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
        let isCurrent = committed == written
        #expect(isCurrent, "\(name) is stale. Run: OIDC_PREFLIGHT_RECORD=1 swift test --filter Samples")
    }
}

extension RegistrationPlatform {
    fileprivate var sampleName: String {
        switch self {
        case .identityPlatformTerraform, .cognitoTerraform, .iamTerraform, .grafana: name + ".tf"
        case .kubernetes, .argoCD, .dex, .synapse: name + ".yaml"
        case .jupyterHub: name + ".py"
        case .swift: name + ".swift"
        default: name + ".json"
        }
    }
}
