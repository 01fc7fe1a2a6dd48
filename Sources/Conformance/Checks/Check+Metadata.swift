import Synchronization

extension Check {
    /// All that is known about a check but its rule.
    package final class Metadata: Sendable {
        let id: CheckID
        /// The good state in a few words, in the present tense.
        package let title: String
        let requirement: Requirement
        /// The consequence for users when it fails.
        let consequence: Consequence
        package let citation: Citation
        /// The harm to users when it fails, in one sentence; for a danger, what an attacker gains.
        package let why: String
        /// The data that must be collected before the rule can be checked.
        let needs: Set<Need>
        /// The name of the evidence query, for users.
        package let reads: String
        /// Whom a danger concerns.
        let endangers: AffectedParties
        /// Failures of these checks supersede this one: one root cause, one failure.
        let supersededBy: [CheckID]
        /// The stage from its list, or else from the catalogue; ``Stage/platform`` for a check in neither.
        var stage: Stage { placed ?? .platform }
        private let placed: Stage?
        private let workOutFeatures: @Sendable (Stage) -> Set<Feature>
        private let known = Mutex<(set: Set<Feature>, ordered: [Feature])?>(nil)

        /// The features that a relying party must use to be affected; empty if every one is.
        ///
        /// Derived from the data that is read: the steps of the query, the stage, and the member or claim that the check
        /// declares.
        var features: Set<Feature> { allFeatures.set }
        /// ``features`` in the order of reports.
        var orderedFeatures: [Feature] { allFeatures.ordered }

        /// Computed on first use: a start makes hundreds of checks, and needs this for few.
        private var allFeatures: (set: Set<Feature>, ordered: [Feature]) {
            if let known = known.withLock({ $0 }) { return known }
            let set = workOutFeatures(stage)
            let all = (set, set.sorted())
            known.withLock { $0 = all }
            return all
        }

        init(
            id: CheckID,
            title: String,
            requirement: Requirement,
            consequence: Consequence,
            citation: Citation,
            why: String,
            needs: Set<Need>,
            reads: String,
            features: @escaping @Sendable (Stage) -> Set<Feature>,
            endangers: AffectedParties,
            supersededBy: [CheckID]
        ) {
            self.id = id
            self.title = title
            self.requirement = requirement
            self.consequence = consequence
            self.citation = citation
            self.why = why
            self.needs = needs
            self.reads = reads
            workOutFeatures = features
            self.endangers = endangers
            self.supersededBy = supersededBy
            placed = nil
        }

        init(_ other: Metadata, id: CheckID?, supersededBy: [CheckID]?, in stage: Stage?) {
            self.id = id ?? other.id
            title = other.title
            requirement = other.requirement
            consequence = other.consequence
            citation = other.citation
            why = other.why
            needs = other.needs
            reads = other.reads
            workOutFeatures = other.workOutFeatures
            endangers = other.endangers
            self.supersededBy = supersededBy ?? other.supersededBy
            placed = other.placed ?? stage
        }
    }

    package var id: CheckID { metadata.id }
    package var title: String { metadata.title }
    package var requirement: Requirement { metadata.requirement }
    package var consequence: Consequence { metadata.consequence }
    package var citation: Citation { metadata.citation }
    package var why: String { metadata.why }
    package var needs: Set<Need> { metadata.needs }
    package var reads: String { metadata.reads }
    package var features: Set<Feature> { metadata.features }
    package var stage: Stage { metadata.stage }
    package var endangers: AffectedParties { metadata.endangers }
    package var supersededBy: [CheckID] { metadata.supersededBy }
}

extension Check.Metadata: Hashable {
    package static func == (left: Check.Metadata, right: Check.Metadata) -> Bool {
        left === right
            || (left.id, left.title, left.requirement, left.consequence, left.why)
                == (right.id, right.title, right.requirement, right.consequence, right.why)
                && (left.features, left.citation) == (right.features, right.citation)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}
