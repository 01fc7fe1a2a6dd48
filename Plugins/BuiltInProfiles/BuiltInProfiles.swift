import Foundation
import PackagePlugin

/// Compiles the profiles in: every YAML file in the folder `Profiles` is one.
@main
struct BuiltInProfiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let profiles = target.sourceFiles(withSuffix: ".yaml").map(\.url)
            .sorted { $0.deletingPathExtension().path() < $1.deletingPathExtension().path() }
        let script = context.package.directoryURL.appending(path: "Scripts/profiles.sh")
        let table = context.pluginWorkDirectoryURL.appending(path: "BuiltInProfiles.swift")
        return [
            .buildCommand(
                displayName: "Compiling \(profiles.count) profiles in",
                executable: URL(filePath: "/bin/sh"),
                arguments: [script.path(), table.path()] + profiles.map { $0.path() },
                inputFiles: [script] + profiles,
                outputFiles: [table]
            )
        ]
    }
}
