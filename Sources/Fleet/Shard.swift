internal import Conformance
package import Profiles

/// One of several shards of a list, each checked by its own process.
///
/// All issuers of a host are in the same shard, so its rate limit and connections need no coordination. The shard
/// depends only on the host and the number of shards, not on the list.
package struct Shard: Sendable, Hashable, CustomStringConvertible {
    /// From 0.
    package let index: Int
    package let count: Int

    package static let whole = Shard(uncheckedIndex: 0, count: 1)
    private static let most = 100_000

    private init(uncheckedIndex index: Int, count: Int) {
        self.index = index
        self.count = count
    }

    /// `nil` if there is no such shard.
    package init?(index: Int, count: Int) {
        guard (1...Self.most).contains(count), (0..<count).contains(index) else { return nil }
        self.init(uncheckedIndex: index, count: count)
    }

    /// Reads `3/8`, counted from 1 as test runners do.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]) else { return nil }
        self.init(index: number - 1, count: count)
    }

    package var description: String { "\(index + 1)/\(count)" }

    /// Whether it contains the issuer.
    package func contains(_ issuer: String) -> Bool {
        count == 1 || Int(Self.hash(HostName.of(issuer)) % UInt64(count)) == index
    }

    /// 64-bit FNV-1a, then the finaliser of MurmurHash3; stable across platforms and versions.
    ///
    /// Without the finaliser, names that differ in one digit would mostly be in the same few shards.
    static func hash(_ text: String) -> UInt64 {
        var hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
        hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
        return hash ^ (hash >> 33)
    }
}

/// The host that receives an issuer's requests.
enum HostName {
    /// Host and port in lower case; the text itself if it is not a URL.
    static func of(_ issuer: String) -> String {
        guard let start = issuer.firstRange(of: "://")?.upperBound else { return issuer }
        let host = issuer[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }.lowercased()
        let defaultPort = issuer.lowercased().hasPrefix("https:") ? ":443" : ":80"
        return host.hasSuffix(defaultPort) ? String(host.dropLast(defaultPort.count)) : host
    }
}

extension Shard {
    /// The job engines whose variables identify the shard of a process.
    package struct Engine: Sendable {
        package let name: String
        /// The variable with the number, and the first number.
        let index: String
        let first: String
        /// The variables that may contain the number of shards.
        let counts: [String]
        /// The variables that may contain the name of the whole job.
        let runs: [String]
    }

    package static let engines: [Engine] = [
        Engine(
            name: "Slurm",
            index: "SLURM_ARRAY_TASK_ID",
            first: "SLURM_ARRAY_TASK_MIN",
            counts: ["SLURM_ARRAY_TASK_COUNT"],
            runs: ["SLURM_ARRAY_JOB_ID"]
        ),
        // Kubernetes does not set the number of completions; the manifest must.
        Engine(
            name: "Kubernetes",
            index: "JOB_COMPLETION_INDEX",
            first: "0",
            counts: ["JOB_COMPLETIONS"],
            runs: ["JOB_NAME"]
        ),
        Engine(
            name: "AWS Batch",
            index: "AWS_BATCH_JOB_ARRAY_INDEX",
            first: "0",
            counts: ["AWS_BATCH_JOB_ARRAY_SIZE"],
            runs: ["AWS_BATCH_JOB_ID"]
        ),
        Engine(
            name: "GitLab",
            index: "CI_NODE_INDEX",
            first: "1",
            counts: ["CI_NODE_TOTAL"],
            runs: ["CI_PIPELINE_ID"]
        ),
        Engine(
            name: "CircleCI",
            index: "CIRCLE_NODE_INDEX",
            first: "0",
            counts: ["CIRCLE_NODE_TOTAL"],
            runs: ["CIRCLE_WORKFLOW_ID"]
        ),
        Engine(
            name: "Buildkite",
            index: "BUILDKITE_PARALLEL_JOB",
            first: "0",
            counts: ["BUILDKITE_PARALLEL_JOB_COUNT"],
            runs: ["BUILDKITE_BUILD_ID"]
        ),
    ]

    /// The shard of this process, according to the environment.
    package struct Found: Sendable {
        package let shard: Shard
        package let engine: String
        /// The name of the whole job; `nil` if the engine provides none.
        package let run: String?
    }

    /// The shard that the environment names; `nil` if no engine started this process as a part of a job.
    ///
    /// - Throws: If the number or the count of shards is missing; otherwise every shard would check the whole list.
    package static func found(_ variable: (String) -> String?) throws(ConfigurationError) -> Found? {
        for engine in engines {
            guard let text = variable(engine.index), !text.isEmpty else { continue }
            let first = Int(engine.first) ?? variable(engine.first).flatMap(Int.init)
            let named = engine.counts.first { variable($0)?.isEmpty == false }
            // Some engines set no count for a job without shards.
            guard let named else {
                if engine.name == "GitLab" || engine.name == "CircleCI" { continue }
                throw ConfigurationError(
                    file: engine.index,
                    "\(engine.name) started shard \(text.shown(limit: 20)) of a job, but \(engine.counts[0]), the number of shards, is not "
                        + "set: set it, or use --shard"
                )
            }
            guard let number = Int(text), let count = variable(named).flatMap(Int.init), let first,
                let shard = Shard(index: number - first, count: count)
            else {
                throw ConfigurationError(
                    file: engine.index,
                    "\(engine.name) names shard “\(text.shown(limit: 20))” of “\((variable(named) ?? "").shown(limit: 20))”, which is invalid: "
                        + "number the shards without gaps, or use --shard"
                )
            }
            let run = engine.runs.lazy.compactMap(variable).first { !$0.isEmpty }
            // The identifier of an array job's part ends with the number of the part.
            let whole = run.map { String($0.prefix { $0 != ":" }) }
            return Found(shard: shard, engine: engine.name, run: whole.map { "\(engine.name.lowercased())-\($0)" })
        }
        return nil
    }
}
