internal import Commands
internal import Console

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

@main
enum Main {
    static func main() async {
        Memory.shareOnePlace()
        KeyLog.disable()
        Terminal.prepare()
        Descriptors.require()
        let code = await PreflightProgram.run(Array(CommandLine.arguments.dropFirst()))
        // All output is written. The libraries' clean-up would take a millisecond and free memory that is still in use.
        _exit(code.rawValue)
    }
}
