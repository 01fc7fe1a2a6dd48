/// The order of issuers: hosts take turns, and the number of parallel issuers of a host is limited.
///
/// A host with a thousand issuers does not delay the others. Each issuer takes 16 bytes and no object.
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
    /// Hosts that have a waiting issuer and free capacity.
    private var ready: [Int32] = []
    private var taken = 0
    /// The number of waiting issuers.
    package private(set) var waiting = 0

    /// - Parameters:
    ///   - issuers: Those of the shard, by their place.
    ///   - skips: Whether an issuer is done.
    ///   - perHost: The maximum number of issuers of a host in parallel.
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

    /// The place of the next issuer; `nil` if none may start now.
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
        // Occasionally removes taken entries.
        if taken > 1_024, taken * 2 > ready.count {
            ready.removeFirst(taken)
            taken = 0
        }
        return place
    }

    /// Marks an issuer as done.
    package mutating func finish(_ place: Int) {
        let number = host[place]
        hosts[Int(number)].running -= 1
        line(up: number)
    }

    /// Appends a host if one of its issuers may start.
    private mutating func line(up number: Int32) {
        let host = hosts[Int(number)]
        guard !host.isReady, host.first != Self.none, host.running < perHost else { return }
        hosts[Int(number)].isReady = true
        ready.append(number)
    }
}
