import Fleet
import Profiles
import Testing

@Suite("Shards", .timeLimit(.minutes(5)))
struct ShardTests {
    @Test("every issuer is in one shard, and those of a host are in the same", arguments: [1, 2, 3, 7, 64])
    func partition(count: Int) throws {
        let shards = try (0..<count).map { try #require(Shard(index: $0, count: count)) }
        var sizes = [Int](repeating: 0, count: count)
        for host in 0..<2_000 {
            let holders = { (issuer: String) in shards.indices.filter { shards[$0].contains(issuer) } }
            let one = holders("https://idp-\(host).example/a")
            #expect(one.count == 1)
            #expect(holders("HTTPS://IDP-\(host).example:443/b?c") == one)
            sizes[one[0]] += 1
        }
        // No shard has much more than its part of the hosts.
        #expect(sizes.allSatisfy { $0 < 2 * 2_000 / count + 40 }, "\(sizes)")
    }

    @Test("names that differ in a digit fall into all shards alike", arguments: [2, 3, 4, 8])
    func alike(count: Int) throws {
        for port in 33_000..<33_050 {
            for shard in try (0..<count).map({ try #require(Shard(index: $0, count: count)) }) {
                let local = (1...64).count { shard.contains("http://127.0.0.\($0):\(port)/ok") }
                #expect(local > 0 && local < 2 * 64 / count + 12, "\(shard) contains \(local) of port \(port)")
            }
        }
    }

    @Test(
        "is written as test runners do",
        arguments: [
            ("1/1", "1/1"), ("3/8", "3/8"), ("0/8", nil), ("9/8", nil), ("3", nil), ("3/8/9", nil), ("-1/8", nil),
            ("1/0", nil), ("a/b", nil),
        ]
            as [(String, String?)]
    )
    func text(text: String, shard: String?) {
        #expect(Shard(text).map { "\($0)" } == shard)
    }

    @Test(
        "the variables of an engine determine the shard of a process",
        arguments: [
            (
                [
                    "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_COUNT": "4",
                    "SLURM_ARRAY_JOB_ID": "99",
                ], "3/4 slurm-99"
            ),
            (
                ["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "16", "JOB_NAME": "fleet-28"],
                "1/16 kubernetes-fleet-28"
            ),
            (
                ["AWS_BATCH_JOB_ARRAY_INDEX": "9", "AWS_BATCH_JOB_ARRAY_SIZE": "10", "AWS_BATCH_JOB_ID": "ab-cd:9"],
                "10/10 aws batch-ab-cd"
            ),
            (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5", "CI_PIPELINE_ID": "77"], "2/5 gitlab-77"),
            (["CIRCLE_NODE_INDEX": "4", "CIRCLE_NODE_TOTAL": "5"], "5/5 "),
            (
                ["BUILDKITE_PARALLEL_JOB": "0", "BUILDKITE_PARALLEL_JOB_COUNT": "2", "BUILDKITE_BUILD_ID": "b"],
                "1/2 buildkite-b"
            ),
            (["CI_NODE_TOTAL": "1", "HOME": "/"], nil),
            ([:], nil),
        ] as [([String: String], String?)]
    )
    func engines(variables: [String: String], reported: String?) throws {
        let found = try Shard.found { variables[$0] }
        #expect(found.map { "\($0.shard) \($0.run ?? "")" } == reported)
    }

    @Test(
        "a shard without a known count is rejected, because it would check the whole list",
        arguments: [
            ["JOB_COMPLETION_INDEX": "3"],
            ["SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "4"],
            ["BUILDKITE_PARALLEL_JOB": "x", "BUILDKITE_PARALLEL_JOB_COUNT": "2"],
        ]
    )
    func refused(variables: [String: String]) {
        #expect(throws: ConfigurationError.self) { try Shard.found { variables[$0] } }
    }
}
