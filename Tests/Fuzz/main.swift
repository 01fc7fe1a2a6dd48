import FoundationEssentials
import Fuzzing

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// fuzz FOLDER SECONDS SEED [NAME…]: reads mutations of the parsers' texts for SECONDS each; exits with 1 if an invariant fails.
// fuzz FOLDER --replay FILE NAME: reads one file.
// The current input is stored in FOLDER.current/NAME, so that it is available after a crash.

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.contains("--names") {
    for target in FuzzTarget.all { print(target) }
    exit(0)
}
guard arguments.count >= 3 else {
    print("usage: fuzz FOLDER SECONDS SEED [NAME…]\n       fuzz FOLDER --replay FILE NAME")
    exit(64)
}
let folder = URL(fileURLWithPath: arguments[0])

if arguments[1] == "--replay" {
    let bytes = Array(FileManager.default.contents(atPath: arguments[2]) ?? Data())
    for target in FuzzTarget.all where arguments.dropFirst(3).contains(target.name) {
        print("\(target): \(target.problem(with: bytes) ?? "no problem")")
    }
    exit(0)
}

guard let seconds = Double(arguments[1]), let seed = UInt64(arguments[2]) else { exit(64) }
let names = Set(arguments.dropFirst(3))
let current = URL(fileURLWithPath: arguments[0] + ".current")
try FileManager.default.createDirectory(at: current, withIntermediateDirectories: true)
var failures = 0

for target in FuzzTarget.all where names.isEmpty || names.contains(target.name) {
    let file = current.appendingPathComponent(target.name)
    let descriptor = open(file.path, O_CREAT | O_RDWR | O_TRUNC, 0o644)
    guard descriptor >= 0 else { exit(73) }
    var mutator = target.mutator(target.found(in: folder), seed: seed)
    let end = Date().addingTimeInterval(seconds)
    var count = 0
    var problem: String?
    while problem == nil, Date() < end {
        let text = mutator.next()
        count += 1
        ftruncate(descriptor, 0)
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        problem = target.problem(with: text)
    }
    close(descriptor)
    if let problem {
        failures += 1
        print("\(target): text \(count) of seed \(seed): \(problem); it is kept in \(file.path)")
    } else {
        try FileManager.default.removeItem(at: file)
        print("\(target): \(count) texts, none of them a problem")
    }
}
exit(failures == 0 ? 0 : 1)
