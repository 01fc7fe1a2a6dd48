import JOSE
import JSONTree
import LoopbackServer
import SignIn
import Transport
import YAMLTree

// exercise: everything that crosses to C, from many tasks at once; to be built with the address sanitizer, which ends it where memory is
// used that is gone or was never there.

/// Answers in all the ways that a connection can end.
let server = LoopbackServer { (connection: LoopbackConnection) in
    while let request = connection.readRequest() {
        switch request.path {
        case "/slow":
            connection.pause(milliseconds: 300)
            connection.write(LoopbackReply(200, body: Array("late".utf8)))
        case "/close": return
        case "/cut":
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")
            return
        case "/drip":
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            for _ in 0..<20 where connection.write("x") { connection.pause(milliseconds: 50) }
            return
        case "/garbage":
            connection.write("\0\0\0\r\n\r\n")
            return
        case "/headers":
            connection.write("HTTP/1.1 200 OK\r\n" + String(repeating: "X-A: b\r\n", count: 20_000) + "\r\n")
            return
        default: guard connection.write(LoopbackReply(200, body: Array(request.target.utf8))) else { return }
        }
    }
}

var configuration = TransportConfiguration(totalTimeout: 0.5, addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
configuration.limits = RunLimits(requests: 700, seconds: 60, bytes: 50_000_000)
let client = HTTPClient(configuration: configuration)
let paths = ["/a", "/slow", "/close", "/cut", "/drip", "/garbage", "/headers", "/b?c=d", "/\0", ""]

let outcomes = await withTaskGroup(of: String.self) { group in
    for number in 0..<600 {
        group.addTask {
            let url = server.url + paths[number % paths.count]
            let task = Task { await client.send(HTTPRequest(url: url)) }
            if number.isMultiple(of: 7) { task.cancel() }
            if number.isMultiple(of: 11) {
                try? await Task.sleep(nanoseconds: 5_000_000)
                task.cancel()
            }
            let exchange = await task.value
            return exchange.failure.map { "\($0.step.rawValue)" } ?? "\(exchange.response?.status ?? 0)"
        }
    }
    for number in 0..<200 {
        group.addTask {
            let page = HTMLReader.read(
                Array("<meta charset=ucs-4><title>\(number)</title><form><input name=a><p><b>x".utf8),
                charset: number.isMultiple(of: 3) ? "shift_jis" : nil
            )
            var jar = CookieJar()
            if let url = WebURL(server.url) { jar.store(setCookie: "a=\(number)", from: url, now: 0) }
            return "\(page.forms.count) forms"
        }
        group.addTask {
            let text =
                "{\"keys\":[{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"\(number)\",\"n\":1e999}],\"a\":1,\"a\":2}"
            let root = try? JSONDocument.parse(Array(text.utf8)).root
            _ = try? YAML.parse("a: [\(number), &x b, *x]\nc: {")
            if let key = root?["keys"]?.arrayValue?.first.flatMap({ JWK($0) }) { _ = try? key.publicKey() }
            if number.isMultiple(of: 20), let key = try? PrivateKey.generate(.ec(.p256)) {
                let bytes = Array("\(number)".utf8)
                _ = try? key.signature(over: bytes, algorithm: .es256)
            }
            return root == nil ? "no JSON" : "JSON"
        }
    }
    var outcomes: [String: Int] = [:]
    for await outcome in group { outcomes[outcome, default: 0] += 1 }
    return outcomes
}
// While transfers are under way.
async let last = client.send(HTTPRequest(url: server.url + "/slow"))
client.shutdown()
_ = await last
server.stop()
print("1,000 tasks: " + outcomes.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", "))
