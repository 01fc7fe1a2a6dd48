internal import Console
internal import ProviderCommands

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

@main
enum Main {
    static func main() async {
        KeyLog.disable()
        Terminal.prepare()
        Descriptors.require()
        let code = await ReferenceProviderProgram.run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }
}
