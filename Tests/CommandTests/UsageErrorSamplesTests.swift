import Foundation
import OtherPrograms
import Testing

/// What the program answers to mistakes of every kind, kept as a file.
@Suite("Usage errors that are kept as samples")
struct UsageErrorSamplesTests {
    /// As they are typed into a shell, after the program's name.
    private static let lines = [
        #"chek"#,
        #"chekc https://a.example"#,
        #"help chek"#,
        #"--verbose"#,
        #"--versoin"#,
        #"-v"#,
        #"-V"#,
        #"check"#,
        #"check --isuer"#,
        #"check --profil openid https://a.example"#,
        #"check --pro openid https://a.example"#,
        #"check --re text=- https://a.example"#,
        #"check https://a.example --profile"#,
        #"check https://a.example --profile --quiet"#,
        #"check https://a.example --profile firebase"#,
        #"check https://a.example --tier ful"#,
        #"check https://a.example --tier="#,
        #"check https://a.example --fail-on errors"#,
        #"check https://a.example --report pdf=x"#,
        #"check https://a.example --report md=x"#,
        #"check https://a.example --report junit"#,
        #"check https://a.example --report junit.xml"#,
        #"check https://a.example --report json=- --report text=-"#,
        #"check https://a.example --quiet=yes"#,
        #"check https://a.example --tier static --tier full"#,
        #"check https://a.example --max-sign-ins 0"#,
        #"check https://a.example --max-sign-ins three"#,
        #"check https://a.example --max-sign-ins -1"#,
        #"check https://a.example --wait-for-issuer -5"#,
        #"check https://a.example --wait-for-issuer soon"#,
        #"check https://a.example https://b.example"#,
        #"check https://a.example --tier ful --fail-on errors"#,
        #"check https://a.example --tear full --fail-on errors"#,
        #"check -- -x"#,
        #"check -x"#,
        #"check --save-evidence-with-secrets https://a.example"#,
        #"check ''"#,
        #"check --config ''"#,
        #"judge"#,
        #"judge gone.json"#,
        #"lint"#,
        #"lint doc.json"#,
        #"lint - -"#,
        #"token"#,
        #"token - --jwks - --issuer https://a.example --client-id c"#,
        #"token x.txt --jwks k --issuer https://a.example --client-id c --at tomorrow"#,
        #"token x.txt --jwks k --issuer https://a.example --client-id c --access-token hush-hush"#,
        #"register"#,
        #"register --for firebase"#,
        #"register kubernetes"#,
        #"register --for kubernets"#,
        #"register --for vault --even-though ' '"#,
        #"checks lst"#,
        #"checks explain"#,
        #"checks explain subject-types"#,
        #"checks explain a b"#,
        #"profiles show opnid"#,
        #"profiles shw"#,
        #"provider --port 70000"#,
        #"provider --port -1"#,
        #"provider --persona githb"#,
        #"provider --fault nothing.like.this"#,
        #"provider --fault idtoken.signature.verifies --fault idtoken.alg.is-not-none"#,
        #"provider --delay x"#,
        #"demo --persona x"#,
        #"doctor now"#,
        #"init"#,
        #"init a.example b.example"#,
        #"plan --tier none"#,
        #"checks explain nonce.missing"#,
        #"-help"#,
        #"https://a.example"#,
        #"--quiet check"#,
        #"completions powershell"#,
        #"completions"#,
        #"check https://a.example --only disc --skip idtokn.*"#,
        #"lint --discovery a.json --ca-file x"#,
        #"check https://a.example --resolve --connect-to"#,
        #"check https://user:secret@a.example"#,
        #"help checks explian"#,
        #"check https://a.example -r"#,
        #"check https://a.example --nonce x"#,
    ]

    @Test("mistakes are answered as is written down, on standard error, with exit code 64")
    func answers() async throws {
        var text = ""
        for line in Self.lines {
            let folder = try TemporaryFolder()
            let outcome = try await OtherProgram.run(
                "sh",
                ["-c", "\"$0\" \(line)", Program.path],
                in: folder.path
            )
            #expect(outcome.code == 64, "\(line)")
            #expect(outcome.output.isEmpty, "\(line): \(outcome.text)")
            text += "$ oidc-preflight \(line)\n\(outcome.errors)\n"
        }
        try CommittedFile.expect(text, in: "Tests/Fixtures/command-line/usage-errors.txt")
    }
}
