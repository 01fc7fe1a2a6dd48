/// Which issuer is next: those of one host in their order, so many of a host at a time, hosts in turn.
///
/// A host with a thousand issuers keeps no other from being asked. Sixteen octets an issuer and no object of its own.
package struct HostQueue {
    private struct Host {
        var first: Int32
        var last: Int32
        var running: Int32 = 0
        var isReady = true
    }

    private static let none: Int32 = -1

    private let perHost: Int32
    private var hosts: [Host] = []
    /// The host of each issuer, and the next issuer of the same host.
    private var host: [Int32]
    private var next: [Int32]
    /// Hosts that have an issuer to begin and room for it.
    private var ready: [Int32] = []
    private var taken = 0
    /// How many wait.
    package private(set) var waiting = 0

    /// - Parameters:
    ///   - issuers: Those of the shard, by their place.
    ///   - skips: Whether an issuer is done.
    ///   - perHost: How many of a host are judged at a time.
    package init(_ issuers: [String], perHost: Int, skips: (Int) -> Bool) {
        self.perHost = Int32(clamping: perHost)
        host = [Int32](repeating: Self.none, count: issuers.count)
        next = [Int32](repeating: Self.none, count: issuers.count)
        var known: [String: Int32] = [:]
        for (place, issuer) in issuers.enumerated() where !skips(place) {
            let name = HostName.of(issuer)
            let index = Int32(clamping: place)
            waiting += 1
            if let number = known[name] {
                next[Int(hosts[Int(number)].last)] = index
                hosts[Int(number)].last = index
                host[place] = number
            } else {
                let number = Int32(clamping: hosts.count)
                known[name] = number
                hosts.append(Host(first: index, last: index))
                ready.append(number)
                host[place] = number
            }
        }
    }

    /// The place of the issuer that is to begin; `nil` where none may begin now.
    package mutating func take() -> Int? {
        guard taken < ready.count else { return nil }
        let number = ready[taken]
        taken += 1
        let place = Int(hosts[Int(number)].first)
        hosts[Int(number)].first = next[place]
        hosts[Int(number)].running += 1
        hosts[Int(number)].isReady = false
        waiting -= 1
        line(up: number)
        // What was taken is let go of now and then.
        if taken > 1_024, taken * 2 > ready.count {
            ready.removeFirst(taken)
            taken = 0
        }
        return place
    }

    /// Says that an issuer is done, whatever came of it.
    package mutating func finish(_ place: Int) {
        let number = host[place]
        hosts[Int(number)].running -= 1
        line(up: number)
    }

    /// Puts a host at the end, where one of its issuers may begin.
    private mutating func line(up number: Int32) {
        let host = hosts[Int(number)]
        guard !host.isReady, host.first != Self.none, host.running < perHost else { return }
        hosts[Int(number)].isReady = true
        ready.append(number)
    }
}
