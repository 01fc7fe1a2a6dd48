import Foundation
import PackagePlugin

/// Compiles every YAML file in the folder `Profiles` into the program as a profile.
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
                displayName: "Compiling \(profiles.count) built-in profiles",
                executable: URL(filePath: "/bin/sh"),
                arguments: [script.path(), table.path()] + profiles.map { $0.path() },
                inputFiles: [script] + profiles,
                outputFiles: [table]
            )
        ]
    }
}
