package import Conformance

/// Platform rules about the issuer beyond the specifications.
///
/// The discovery stage checks that it is an https URL without query, fragment and user name.
package enum IssuerRuleChecks {
    static let hasNoPort = RuledChecks.check(
        .issuerPort,
        "The issuer names no port",
        .signIn,
        why: "The platform rejects the registration, or connects to port 443 and finds no provider there.",
        reads: Documents.target,
        exempt: { target, _ in whyUnregistrable(target) },
        rule: { target, _, _ in
            guard let port = URIReference(target.issuer).port, !port.isEmpty else { return [] }
            return [
                Finding(
                    "The issuer names the port \(port.shown()).",
                    at: "issuer",
                    expected: "no port",
                    found: target.issuer.shown(),
                    fix: "Serve the provider on port 443, and remove the port from its issuer."
                )
            ]
        }
    )

    static let hostIsNotExcluded = RuledChecks.check(
        .issuerHosts,
        "The platform accepts the issuer's host",
        .signIn,
        why: "The platform rejects the registration, because it connects to providers at this host in another way.",
        reads: Documents.target,
        rule: { target, hosts, _ in
            let host = (URIReference(target.issuer).host ?? "").lowercased()
            return hosts.filter { host == $0 || host.hasSuffix("." + $0) }
                .map { excluded in
                    Finding(
                        "The platform does not accept an issuer at \(excluded).",
                        at: "issuer",
                        expected: "another host",
                        found: host.shown(),
                        fix: "Use the platform's dedicated connection for providers at \(excluded)."
                    )
                }
        }
    )

    static let isTheProviders = RuledChecks.check(
        .issuerOwners,
        "The issuer belongs to the provider that the platform uses",
        .signIn,
        why:
            "The platform always uses its built-in provider, so the run tests a provider that no user of the platform uses.",
        reads: Documents.target,
        exempt: { target, _ in whyUnregistrable(target) },
        rule: { target, owners, _ in
            let isOwned = owners.contains { owner in
                target.issuer == owner || (owner.hasSuffix("/") && target.issuer.hasPrefix(owner))
            }
            guard !isOwned else { return [] }
            return [
                Finding(
                    "The platform uses another provider than the one with this issuer.",
                    at: "issuer",
                    expected: owners.map { $0.hasSuffix("/") ? $0 + "…" : $0 }.joined(separator: " or "),
                    found: target.issuer.shown(),
                    fix: "Choose the profile for this provider, or firebase-oidc for an OpenID Provider of your own."
                )
            ]
        }
    )

    static let hostIsPublic = RuledChecks.check(
        .issuerIsPublic,
        "The issuer has a public host name",
        .signIn,
        why: "The platform rejects private addresses, so that an attacker cannot make it call its own network.",
        reads: Documents.target,
        exempt: { target, _ in whyUnregistrable(target) },
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
                    fix: "Give the provider a public host name, and use that name in its issuer."
                )
            ]
        }
    )

    static let isShortEnough = RuledChecks.check(
        .issuerLength,
        "The issuer is no longer than the platform accepts",
        .signIn,
        why: "The platform rejects the registration.",
        reads: Documents.target,
        rule: { target, limit, _ in
            let count = target.issuer.unicodeScalars.count
            guard count > limit else { return [] }
            return [
                Finding(
                    "The issuer has \(count) characters.",
                    at: "issuer",
                    expected: "at most \(counted(limit, "character"))",
                    found: counted(count, "character"),
                    fix: "Shorten the path of the provider's issuer."
                )
            ]
        }
    )

    package static let all: [Check] = [hasNoPort, hostIsNotExcluded, isTheProviders, hostIsPublic, isShortEnough]

    /// A provider on this machine has a port and a private name, and cannot be registered with a platform.
    private static func whyUnregistrable(_ target: Target) -> String? {
        HostKind(URIReference(target.issuer).host ?? "") == .loopback
            ? "the provider runs on this machine, so it cannot be registered with the platform" : nil
    }
}
