package import Conformance
internal import JSONTree
internal import SQLite

/// Queries for a report; lists without a natural limit are cut off.
extension FleetStore {
    private static let mostIssuers = 200
    private static let mostFindings = 5
    private static let mostChanges = 500
    private static let mostEndings = 200
    private static let mostChecks = 20

    /// The names of all runs, the latest first.
    package func runs() throws -> [String] {
        try database.rows("SELECT name FROM run ORDER BY started_at DESC, name DESC").compactMap { $0[0].text }
    }

    /// The report of a run; `nil` if the database does not contain the run.
    ///
    /// - Parameters:
    ///   - name: The run; `nil` for the latest.
    ///   - before: The run to compare with; `nil` for the previous one.
    ///   - now: Seconds since 1970, for the expiry of certificates.
    package func report(on name: String?, since before: String?, now: Double) throws -> FleetReport? {
        let all = try runs()
        guard let run = name ?? all.first, let place = all.firstIndex(of: run) else { return nil }
        let earlier = before ?? all.dropFirst(place + 1).first
        if let before, !all.contains(before) { return nil }
        guard
            let row = try database.rows("SELECT id, started_at, ended_at FROM run WHERE name = ?", [.text(run)]).first,
            let id = row[0].integer
        else { return nil }
        let old = try earlier.flatMap { try database.value("SELECT id FROM run WHERE name = ?", [.text($0)])?.integer }
        let counts = try counts(
            "SELECT o.gate, count(*) FROM result r JOIN outcome o ON o.id = r.outcome WHERE r.run = ? GROUP BY 1",
            id
        )
        let promised = try database.value(
            "SELECT coalesce(sum(most), 0) FROM (SELECT max(issuers) AS most FROM shard WHERE run = ? GROUP BY shard)",
            [.integer(Int64(id))]
        )
        return FleetReport(
            run: run,
            startedAt: row[1].number ?? 0,
            endedAt: row[2].number ?? 0,
            before: old == nil ? nil : earlier,
            counts: counts,
            missing: max(0, (promised?.integer ?? 0) - counts.all),
            platforms: try platforms(id),
            worst: try worst(id),
            changes: try old.map { try changes(from: $0, to: id) } ?? FleetReport.Reported(),
            endings: try endings(id, now: now),
            checks: try checks(id)
        )
    }

    private func counts(_ query: String, _ run: Int) throws -> FleetReport.Counts {
        var counts = FleetReport.Counts()
        for row in try database.rows(query, [.integer(Int64(run))]) {
            counts.add(row[0].text, row[1].integer ?? 0)
        }
        return counts
    }

    private func platforms(_ run: Int) throws -> [FleetReport.Platform] {
        var platforms: [FleetReport.Platform] = []
        let rows = try database.rows(
            """
            SELECT j.profile, j.gate, count(*) FROM result r JOIN judgement j ON j.outcome = r.outcome
            WHERE r.run = ? GROUP BY 1, 2 ORDER BY 1
            """,
            [.integer(Int64(run))]
        )
        for row in rows {
            let profile = row[0].text ?? ""
            if platforms.last?.profile != profile {
                platforms.append(FleetReport.Platform(profile: profile, counts: FleetReport.Counts()))
            }
            platforms[platforms.count - 1].counts.add(row[1].text, row[2].integer ?? 0)
        }
        return platforms
    }

    private func worst(_ run: Int) throws -> FleetReport.Reported<FleetReport.Issuer> {
        let from = "FROM result r JOIN outcome o ON o.id = r.outcome WHERE r.run = ? AND o.gate <> 'open'"
        let rows = try database.rows(
            """
            SELECT i.issuer, i.profile, i.configuration, o.gate, o.closing, o.id
            FROM result r JOIN outcome o ON o.id = r.outcome JOIN issuer i ON i.id = r.issuer
            WHERE r.run = ? AND o.gate <> 'open' ORDER BY o.gate = 'closed' DESC, o.closing DESC, i.issuer, i.profile, i.configuration
            LIMIT \(Self.mostIssuers)
            """,
            [.integer(Int64(run))]
        )
        let all = try database.value("SELECT count(*) " + from, [.integer(Int64(run))])?.integer ?? 0
        let findings = try database.prepare(
            """
            SELECT j.profile, f.check_id, f.message FROM finding f
            JOIN judgement j ON j.outcome = f.outcome AND j.position = f.judgement
            WHERE f.outcome = ? AND f.effect <> 'remark' ORDER BY f.effect = 'closes' DESC, f.judgement, f.position
            LIMIT \(Self.mostFindings)
            """
        )
        let issuers = try rows.map { row in
            var reported: [FleetReport.Finding] = []
            try findings.forEach([row[5]]) { found in
                reported.append(
                    FleetReport.Finding(
                        profile: found[0].text ?? "",
                        check: found[1].text ?? "",
                        message: found[2].text ?? ""
                    )
                )
            }
            return FleetReport.Issuer(
                issuer: row[0].text ?? "",
                rules: [row[1].text, row[2].text].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", "),
                gate: row[3].text.flatMap(Report.Gate.init) ?? .inconclusive,
                closing: row[4].integer ?? 0,
                findings: reported
            )
        }
        return FleetReport.Reported(issuers, left: all - issuers.count)
    }

    private func endings(_ run: Int, now: Double) throws -> FleetReport.Reported<FleetReport.ExpiringCertificate> {
        let end = now + Double(FleetReport.endingDays) * 86_400
        let rows = try database.rows(
            """
            SELECT c.host, c.not_after, count(*) FROM result r JOIN certificate c ON c.id = r.certificate
            WHERE r.run = ? AND c.not_after < ? GROUP BY 1, 2 ORDER BY 2, 1
            """,
            [.integer(Int64(run)), .real(end)]
        )
        let reported = rows.prefix(Self.mostEndings)
            .map {
                FleetReport.ExpiringCertificate(
                    host: $0[0].text ?? "",
                    notAfter: $0[1].number ?? 0,
                    issuers: $0[2].integer ?? 0
                )
            }
        return FleetReport.Reported(reported, left: rows.count - reported.count)
    }

    private func checks(_ run: Int) throws -> [FleetReport.ClosingCheck] {
        try database.rows(
            """
            SELECT f.check_id, count(DISTINCT r.issuer) FROM result r JOIN finding f ON f.outcome = r.outcome
            WHERE r.run = ? AND f.effect = 'closes' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT \(Self.mostChecks)
            """,
            [.integer(Int64(run))]
        )
        .map { FleetReport.ClosingCheck(check: $0[0].text ?? "", issuers: $0[1].integer ?? 0) }
    }

    // MARK: Changes

    /// The changes between two runs, up to a limit; issuers with equal content are not examined.
    private func changes(from old: Int, to new: Int) throws -> FleetReport.Reported<FleetReport.Change> {
        let runs = [SQLValue.integer(Int64(old)), .integer(Int64(new))]
        var reported: [FleetReport.Change] = []
        var left = 0
        func add(_ issuer: String, _ kind: FleetReport.Change.Kind, _ words: String = "") {
            if reported.count < Self.mostChanges {
                reported.append(FleetReport.Change(issuer: issuer, kind: kind, words: words))
            } else {
                left += 1
            }
        }
        let gates = try database.prepare(
            """
            SELECT i.issuer, a.gate, b.gate FROM result x JOIN result y ON y.issuer = x.issuer AND y.run = ?2
            JOIN outcome a ON a.id = x.outcome JOIN outcome b ON b.id = y.outcome JOIN issuer i ON i.id = x.issuer
            WHERE x.run = ?1 AND x.outcome <> y.outcome AND a.gate <> b.gate ORDER BY b.gate = 'open', i.issuer
            """
        )
        try gates.forEach(runs) { row in
            let (before, now) = (row[1].text ?? "", row[2].text ?? "")
            let isWorse = before == "open" || now == "closed"
            add(row[0].text ?? "", isWorse ? .worse : .better, "\(before) → \(now)")
        }
        let documents = try database.prepare(
            """
            SELECT i.issuer, a.issuer, b.issuer, a.algorithms, b.algorithms
            FROM result x JOIN result y ON y.issuer = x.issuer AND y.run = ?2
            JOIN document a ON a.id = x.discovery JOIN document b ON b.id = y.discovery JOIN issuer i ON i.id = x.issuer
            WHERE x.run = ?1 AND x.discovery <> y.discovery ORDER BY i.issuer
            """
        )
        try documents.forEach(runs) { row in
            let issuer = row[0].text ?? ""
            if row[1] != row[2] { add(issuer, .issuer, "\(row[1].text ?? "none") → \(row[2].text ?? "none")") }
            let (before, now) = (Self.strings(row[3]), Self.strings(row[4]))
            if before != now {
                add(issuer, .algorithms, "\(before.joined(separator: " ")) → \(now.joined(separator: " "))")
            }
        }
        for (kind, published, other) in [(FleetReport.Change.Kind.keyAdded, "y", "x"), (.keyWithdrawn, "x", "y")] {
            let keys = try database.prepare(
                """
                SELECT i.issuer, k.kid, k.thumbprint, k.alg FROM result x JOIN result y ON y.issuer = x.issuer AND y.run = ?2
                JOIN issuer i ON i.id = x.issuer JOIN published_key k ON k.document = \(published).keys
                WHERE x.run = ?1 AND x.keys <> y.keys AND k.thumbprint NOT IN
                    (SELECT thumbprint FROM published_key WHERE document = \(other).keys)
                ORDER BY i.issuer, k.position
                """
            )
            try keys.forEach(runs) { row in
                let names = [row[1].text, row[3].text, row[2].text].compactMap(\.self).filter { !$0.isEmpty }
                add(row[0].text ?? "", kind, names.joined(separator: " "))
            }
        }
        for (kind, published, other) in [(FleetReport.Change.Kind.appeared, new, old), (.gone, old, new)] {
            let issuers = try database.prepare(
                """
                SELECT i.issuer FROM result r JOIN issuer i ON i.id = r.issuer WHERE r.run = ?1
                AND NOT EXISTS (SELECT 1 FROM result o WHERE o.run = ?2 AND o.issuer = r.issuer) ORDER BY 1
                """
            )
            try issuers.forEach([.integer(Int64(published)), .integer(Int64(other))]) { add($0[0].text ?? "", kind) }
        }
        return FleetReport.Reported(reported, left: left)
    }

    private static func strings(_ value: SQLValue) -> [String] {
        value.text.flatMap { try? JSONDocument.parse($0).root.strings } ?? []
    }
}

extension FleetReport.Counts {
    fileprivate mutating func add(_ gate: String?, _ count: Int) {
        switch gate {
        case "open": open += count
        case "closed": closed += count
        default: inconclusive += count
        }
    }
}
