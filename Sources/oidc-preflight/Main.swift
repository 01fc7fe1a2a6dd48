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
        Terminal.prepare()
        let code = await PreflightProgram.run(Array(CommandLine.arguments.dropFirst()))
        // All is written. The libraries' clean-up would take a millisecond, and frees what their threads may still use.
        _exit(code.rawValue)
    }
}
