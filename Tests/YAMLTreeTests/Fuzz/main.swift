import Foundation

// fuzz FILE…: reads 20,000 mutations of the files and of the odd texts; compiled together with YAMLTree and the
// address sanitizer. Every run has the same mutations, so failures are reproducible.

let files = CommandLine.arguments.dropFirst().compactMap { FileManager.default.contents(atPath: $0).map { Array($0) } }
// The tests read long texts; here they would only take time.
let texts = (files + Sample.all.map(\.bytes)).filter { $0.count < 20_000 }
var mutator = Mutator(texts: texts, pieces: YAMLReading.pieces, seed: 1)
var outcomes = (read: 0, refused: 0)
for number in 1...20_000 {
    let text = mutator.next()
    let limits = number.isMultiple(of: 4) ? YAMLReading.tight : YAML.Limits()
    if let contradiction = YAMLReading.contradiction(text, limits) {
        // Unbuffered, because the sanitizer ends the process before a buffer is written.
        FileHandle.standardError.write(Data("mutation \(number): \(contradiction)\n".utf8) + Data(text))
        exit(1)
    }
    if (try? YAML.parse(text, limits: limits)) == nil { outcomes.refused += 1 } else { outcomes.read += 1 }
}
print("20,000 mutations of \(texts.count) texts: \(outcomes.read) read, \(outcomes.refused) refused, none by a crash")
