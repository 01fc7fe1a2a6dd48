import Foundation
import Testing

/// The repository's Markdown pages, and the targets of their links.
enum Pages {
    /// Every page, by its path from the root of the repository, except for built or installed files.
    static let texts: [String: String] = {
        let root = URL(fileURLWithPath: Repository.root)
        var texts: [String: String] = [:]
        // Reports are parts of other pages, and have no title of their own.
        for folder in ["", "Documentation", "Tests", "Profiles", "Sources", "Scripts"] {
            let names =
                folder.isEmpty
                ? try? FileManager.default.contentsOfDirectory(atPath: root.path)
                : try? FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            for name in names ?? [] where name.hasSuffix(".md") {
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                texts[path] = try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
            }
        }
        return texts
    }()

    /// The lines outside of code.
    static func prose(_ text: String) -> [String] {
        var isCode = false
        return text.components(separatedBy: "\n")
            .filter { line in
                if line.drop(while: { $0 == " " }).hasPrefix("```") {
                    isCode.toggle()
                    return false
                }
                return !isCode
            }
    }

    /// The targets of links, inline ones and those of references; text between backticks is code.
    static func targets(_ text: String) -> [String] {
        prose(text)
            .flatMap { line -> [String] in
                // Most lines have no link, and the expressions are slow.
                guard line.utf8.first == UInt8(ascii: "[") || line.utf8.contains(UInt8(ascii: "]")) else { return [] }
                let plain = line.replacing(#/`[^`]*`/#, with: "code")
                let inline = plain.matches(of: #/\]\(<?([^()<> ]+(?:\([^()]*\))?[^()<> ]*)>?(?: "[^"]*")?\)/#)
                let references = plain.matches(of: #/^\[[^\]]+\]: <?([^ >]+)/#)
                return inline.map { String($0.output.1) } + references.map { String($0.output.1) }
            }
    }

    /// The anchors of a page's headings, as GitHub makes them: small letters, digits, hyphens and low lines, blanks as hyphens.
    static func anchors(_ text: String) -> Set<String> {
        var anchors: Set<String> = []
        for line in prose(text) {
            guard line.utf8.first == UInt8(ascii: "#"), let match = line.wholeMatch(of: #/#{1,6} +(.+?) *#*/#) else {
                continue
            }
            let words = match.1.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.output.1 }
            let name = String(
                words.lowercased()
                    .filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                    .map { $0 == " " ? "-" : $0 }
            )
            var anchor = name
            var count = 0
            while !anchors.insert(anchor).inserted {
                count += 1
                anchor = "\(name)-\(count)"
            }
        }
        guard text.contains("<a ") else { return anchors }
        return anchors.union(text.matches(of: #/<a (?:id|name)="([^"]+)"/#).map { String($0.output.1) })
    }

    /// The path that a relative link means, from the root of the repository.
    static func path(_ target: String, from page: String) -> String {
        var parts = page.split(separator: "/").dropLast().map(String.init)
        for part in target.split(separator: "/").map(String.init) where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts.joined(separator: "/")
    }
}

@Suite("Links of the pages", .timeLimit(.minutes(5)))
struct MarkdownLinkTests {
    /// The prefix of URLs of this repository's own pages, whose files are in this checkout.
    private static let published = "https://github.com/oidc-preflight/oidc-preflight/blob/main/"

    @Test("every link of a page leads to an existing file and anchor")
    func links() {
        #expect(Pages.texts.count > 50)
        let anchors = Pages.texts.mapValues(Pages.anchors)
        var dead: [String] = []
        var count = 0
        for (page, text) in Pages.texts.sorted(by: { $0.key < $1.key }) {
            for target in Pages.targets(text) {
                let isOurs = target.hasPrefix(Self.published)
                if !isOurs, target.contains(":") { continue }
                count += 1
                let parts = (isOurs ? String(target.dropFirst(Self.published.count)) : target)
                    .split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let file = parts[0].isEmpty ? page : isOurs ? parts[0] : Pages.path(parts[0], from: page)
                let isThere = FileManager.default.fileExists(atPath: "\(Repository.root)/\(file)")
                let hasAnchor = parts.count < 2 || anchors[file]?.contains(parts[1]) == true
                if !isThere || !hasAnchor { dead.append("\(page): \(target)") }
            }
        }
        #expect(count > 450)
        #expect(dead.isEmpty, "\(dead.prefix(20))")
    }

    @Test("external links use https, and every page begins with a title")
    func titles() {
        for (page, text) in Pages.texts {
            let hasTitle = text.hasPrefix("# ")
            #expect(hasTitle, "\(page) does not begin with its title")
            for target in Pages.targets(text) where target.contains("://") {
                #expect(target.hasPrefix("https://"), "\(page): \(target)")
            }
        }
    }

    @Test("every suite and module of tests that a page names exists")
    func suites() throws {
        var known = Set(try FileManager.default.contentsOfDirectory(atPath: Repository.root + "/Tests"))
        for line in try Repository.swiftFiles(in: "Tests").flatMap(\.lines) where line.contains("struct ") {
            if let match = line.firstMatch(of: #/struct (\w+Tests)\b/#) { known.insert(String(match.output.1)) }
        }
        var count = 0
        for (page, text) in Pages.texts {
            for match in text.matches(of: #/`([A-Z]\w*Tests)\b/#) {
                count += 1
                #expect(known.contains(String(match.output.1)), "\(page): \(match.output.1)")
            }
        }
        #expect(count >= 25)
    }
}
