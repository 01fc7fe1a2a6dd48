import Browsing
import Foundation
import LoopbackServer
import SignIn
import Synchronization
import TestSupport
import Testing
import Transport

/// Pages that lead a browser into the own network.
@Suite(
    "The address policy in a browser",
    .serialized,
    .phase(.browsers),
    .timeLimit(.minutes(5)),
    .oracle(Installed.anyBrowser)
)
struct AddressPolicyInBrowserTests {
    private struct BrowserSignIn {
        var outcome: SignInOutcome
        var visits: [Visit]
        var notes: [String]
    }

    /// Signs in at a provider with a name, the only host that the target names.
    private static func go(
        _ browser: BrowserKind,
        _ provider: @escaping @Sendable (LoopbackRequest) -> LoopbackReply
    ) async throws -> BrowserSignIn {
        let server = LoopbackServer(replies: provider)
        // The second name is one that an attacker's name service leads here after the first question.
        let resolve = ["op.example:\(server.port):127.0.0.1", "rebound.example:\(server.port):127.0.0.1"]
            .compactMap { HostOverride($0) }
        let transport = TransportConfiguration(
            resolve: resolve,
            addressPolicy: AddressPolicy(allowedHosts: ["op.example"]),
            proxy: ProxySettings()
        )
        let notes = Mutex<[String]>([])
        let browsers = Browsers(
            try #require(BrowserPrograms.installed(browser)),
            BrowserOptions(pageTimeout: 30, transport: transport)
        )
        let session = SignInSession(
            client: HTTPClient(configuration: transport),
            instructions: SignInInstructions(
                username: "alice",
                password: Credential("s3cret&word"),
                driving: SharedSignInDriver(
                    .browser,
                    browsers: browsers,
                    note: { note in notes.withLock { $0.append(note) } }
                )
            ),
            redirectURI: "https://rp.example/cb"
        )
        let (outcome, visits) = await session.open("http://op.example:\(server.port)/authorize?state=some-state")
        await browsers.stop()
        return BrowserSignIn(outcome: outcome, visits: visits, notes: notes.withLock { $0 })
    }

    /// The ways in which a page leads its window to another address.
    enum Way: String, CaseIterable, Sendable {
        case script, refresh, redirect, encrypted, numeric, link

        func reply(to request: LoopbackRequest, _ port: Int) -> LoopbackReply {
            let inside = "http://127.0.0.1:\(port)/latest/meta-data"
            // The run's own request comes first; the browser repeats it.
            switch self {
            case .script: return .page("<p>Wait</p><script>location = '\(inside)'</script>")
            case .refresh:
                return .page("<p>Wait</p><meta http-equiv=refresh content='0;url=\(inside)'><script>0</script>")
            case .redirect:
                return request.path == "/next"
                    ? .redirect(inside) : .page("<p>Wait</p><script>location = '/next'</script>")
            case .encrypted: return .page("<p>Wait</p><script>location = 'https://127.0.0.1:\(port)/'</script>")
            case .numeric: return .page("<p>Wait</p><script>location = 'http://2130706433:\(port)/'</script>")
            case .link: return .page("<p>Wait</p><a id=a href='\(inside)'>x</a><script>a.click()</script>")
            }
        }
    }

    /// All of them in the first browser, and one over each protocol in the others.
    private static let ways = Installed.browsers.flatMap { browser in
        (browser == Installed.browsers[0] ? Way.allCases : [.script, .encrypted]).map { (browser, $0) }
    }

    @Test("a page that leads its window to an inner address ends the sign-in there", arguments: ways)
    func navigated(browser: BrowserKind, way: Way) async throws {
        let canary = LoopbackServer { _ in .page("inside") }
        let ended = try await Self.go(browser) { way.reply(to: $0, canary.port) }
        guard case .failed(let failure) = ended.outcome else {
            Issue.record("\(ended.outcome)")
            return
        }
        #expect(failure.cause == .addressRefused(address: "127.0.0.1", rule: "a loopback address"))
        #expect(failure.host == "127.0.0.1:\(canary.port)")
        #expect(canary.connections == 0)
        #expect(
            ended.notes.contains { $0.contains("led the browser to 127.0.0.1:\(canary.port) (a loopback address)") }
        )
        for visit in ended.visits {
            #expect(visit.exchange.response.map { !$0.text.contains("inside") } ?? true)
        }
    }

    @Test("nothing else in a page reaches an inner address either", arguments: Installed.browsers)
    func requested(browser: BrowserKind) async throws {
        let canary = LoopbackServer { _ in .page("inside") }
        let datagrams = try DatagramCanary()
        let place = "127.0.0.1:\(canary.port)"
        let page = """
            <p>Wait</p><img src=http://\(place)/image><iframe src=http://localhost:\(canary.port)/frame></iframe>
            <link rel=stylesheet href=http://\(place)/style><link rel=preconnect href=http://\(place)>
            <link rel=prefetch href=http://\(place)/prefetch><script>
            const settled = [];
            const add = f => { try { settled.push(f().catch(() => 0)); } catch (error) { settled.push(0); } };
            add(() => fetch('http://\(place)/fetch'));
            add(() => fetch('http://rebound.example:' + location.port + '/rebound', { mode: 'no-cors' }));
            add(() => fetch('https://\(place)/fetch', { mode: 'no-cors' }));
            for (const scheme of ['ws', 'wss']) add(() => new Promise(done => {
              new WebSocket(scheme + '://\(place)/socket').onerror = done; }));
            add(() => new Promise(done => { const events = new EventSource('http://\(place)/events');
              events.onerror = () => { events.close(); done(); }; }));
            add(() => new Promise(done => {
              const code = "fetch('http://\(place)/worker').then(() => postMessage(1), () => postMessage(1))";
              new Worker(URL.createObjectURL(new Blob([code]))).onmessage = done; }));
            navigator.sendBeacon('http://\(place)/beacon', 'x');
            add(() => new Promise(done => {
              const urls = ['stun:127.0.0.1:\(datagrams.port)', 'turn:127.0.0.1:\(canary.port)?transport=tcp'];
              const connection = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
              connection.createDataChannel('x');
              connection.onicegatheringstatechange = () => { if (connection.iceGatheringState === 'complete') done(); };
              connection.createOffer().then(offer => connection.setLocalDescription(offer));
              setTimeout(done, 1000); }));
            Promise.all(settled).then(() => { location = 'https://rp.example/cb?code=c&state=some-state'; });
            </script>
            """
        let ended = try await Self.go(browser) { request in
            request.path == "/authorize" ? .page(page) : .page("inside", status: 404)
        }
        #expect(ended.outcome == .arrived(at: "https://rp.example/cb?code=c&state=some-state", formPost: nil))
        #expect(canary.connections == 0)
        #expect(datagrams.count == 0)
        for place in [place, "localhost:\(canary.port)", "rebound.example:"] {
            #expect(ended.notes.count { $0.contains("led the browser to \(place)") } == 1, "\(place): \(ended.notes)")
        }
    }

    /// A UDP socket on loopback that expects nothing.
    private final class DatagramCanary: Sendable {
        let port: Int
        private let socket: Int32

        init() throws {
            socket = Foundation.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let socket = socket
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
                }
            }
            try #require(isBound)
            port = Int(UInt16(bigEndian: address.sin_port))
        }

        deinit { close(socket) }

        /// The datagrams that have arrived.
        var count: Int {
            var buffer = [UInt8](repeating: 0, count: 2_048)
            var count = 0
            while recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 { count += 1 }
            return count
        }
    }
}
