package import Conformance

/// What relying platforms demand of the issuer beyond the specifications; that it is an https URL without query, fragment
/// and user name is the discovery stage's.
package enum IssuerRuleChecks {
    package static let hasNoPort = RuledChecks.check(
        .issuerPort,
        "The issuer names no port",
        .signIn,
        why: "The platform refuses the registration, or asks at port 443 and finds nothing.",
        reads: Documents.target,
        exempt: { target, _ in rehearsal(target) },
        rule: { target, _, _ in
            guard let port = URIReference(target.issuer).port, !port.isEmpty else { return [] }
            return [
                Finding(
                    "The issuer names the port \(port.shown()).",
                    at: "issuer",
                    expected: "no port",
                    found: target.issuer.shown(),
                    fix: "Serve the provider at port 443, and leave the port out of its issuer."
                )
            ]
        }
    )

    package static let hostIsNotExcluded = RuledChecks.check(
        .issuerHosts,
        "The issuer's host is not one that the platform refuses",
        .signIn,
        why: "The platform refuses the registration: it has another way for the providers of this host.",
        reads: Documents.target,
        rule: { target, hosts, _ in
            let host = (URIReference(target.issuer).host ?? "").lowercased()
            return hosts.filter { host == $0 || host.hasSuffix("." + $0) }
                .map { excluded in
                    Finding(
                        "The platform takes no issuer at \(excluded).",
                        at: "issuer",
                        expected: "another host",
                        found: host.shown(),
                        fix: "Use the platform's own way to connect the providers of \(excluded)."
                    )
                }
        }
    )

    package static let isTheProviders = RuledChecks.check(
        .issuerOwners,
        "The issuer is that of the provider that the platform signs in with",
        .signIn,
        why: "The platform goes to the provider that it knows, whoever was judged here.",
        reads: Documents.target,
        exempt: { target, _ in rehearsal(target) },
        rule: { target, owners, _ in
            let isOwned = owners.contains { owner in
                target.issuer == owner || (owner.hasSuffix("/") && target.issuer.hasPrefix(owner))
            }
            guard !isOwned else { return [] }
            return [
                Finding(
                    "The platform signs in with another provider than this one.",
                    at: "issuer",
                    expected: owners.map { $0.hasSuffix("/") ? $0 + "…" : $0 }.joined(separator: " or "),
                    found: target.issuer.shown(),
                    fix: "Choose the profile of the platform's way to this provider, firebase-oidc for one of your own."
                )
            ]
        }
    )

    package static let hostIsPublic = RuledChecks.check(
        .issuerIsPublic,
        "The issuer has a public name",
        .signIn,
        why: "The platform refuses private addresses, so that nobody can make it call its own network.",
        reads: Documents.target,
        exempt: { target, _ in rehearsal(target) },
        rule: { target, _, _ in
            let host = URIReference(target.issuer).host ?? ""
            let kind = HostKind(host)
            guard kind != .public else { return [] }
            return [
                Finding(
                    "The issuer is at \(kind.rawValue).",
                    at: "issuer",
                    expected: "a name that the public DNS resolves",
                    found: host.shown(),
                    fix: "Give the provider a public name, and make that its issuer."
                )
            ]
        }
    )

    package static let isShortEnough = RuledChecks.check(
        .issuerLength,
        "The issuer is no longer than the platform takes",
        .signIn,
        why: "The platform refuses the registration.",
        reads: Documents.target,
        rule: { target, limit, _ in
            let count = target.issuer.unicodeScalars.count
            guard count > limit else { return [] }
            return [
                Finding(
                    "The issuer has \(count) characters.",
                    at: "issuer",
                    expected: "at most \(limit)",
                    found: String(count),
                    fix: "Give the provider an issuer with a shorter path."
                )
            ]
        }
    )

    package static let all: [Check] = [hasNoPort, hostIsNotExcluded, isTheProviders, hostIsPublic, isShortEnough]

    /// A provider on this machine has a port and a private name by nature, and nobody registers it like that.
    private static func rehearsal(_ target: Target) -> String? {
        HostKind(URIReference(target.issuer).host ?? "") == .loopback
            ? "the provider runs on this machine, where it cannot be registered anyway" : nil
    }
}
