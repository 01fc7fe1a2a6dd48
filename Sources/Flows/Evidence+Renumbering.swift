import Conformance

extension Evidence {
    /// Replaces every exchange's provisional identifier by its place in the finished list.
    mutating func renumber(_ number: (Int) -> Int) {
        discoveryHops = discoveryHops.map(number)
        keysHops = keysHops.map(number)
        discovery = discovery.renumbered(number)
        published = published?.renumbered(number)
        keys = keys.renumbered(number)
        discoveryAgain = discoveryAgain.renumbered(number)
        keysAgain = keysAgain.renumbered(number)
        second?.renumber(number)
        for index in runs.indices { runs[index].renumber(number) }
        oauth1?.renumber(number)
    }
}

extension SecondObservations {
    fileprivate mutating func renumber(_ number: (Int) -> Int) {
        for index in agents.indices { agents[index].answer = agents[index].answer.renumbered(number) }
        for index in addresses.indices { addresses[index].answer = addresses[index].answer.renumbered(number) }
        for index in scripts.indices { scripts[index].answer = scripts[index].answer.renumbered(number) }
    }
}

extension Observation<Document> {
    fileprivate func renumbered(_ number: (Int) -> Int) -> Self {
        map { document in
            var document = document
            if let exchange = document.exchange { document.origin = .exchange(number(exchange)) }
            return document
        }
    }
}

extension ScenarioRun {
    fileprivate mutating func renumber(_ number: (Int) -> Int) {
        authorization = authorization.renumbered(number)
        token = token.renumbered(number)
        userInfo = userInfo.map { answer in
            var answer = answer
            answer.exchange = number(answer.exchange)
            return answer
        }
        if var own = registration {
            own.answer = own.answer.renumbered(number)
            own.reading = own.reading.renumbered(number)
            own.deletion = own.deletion.renumbered(number)
            registration = own
        }
        for index in visits.indices { visits[index].exchange = number(visits[index].exchange) }
        for index in sequels.indices {
            sequels[index].authorization = sequels[index].authorization.renumbered(number)
            sequels[index].answer = sequels[index].answer.renumbered(number)
        }
    }
}

extension OAuth1Run {
    fileprivate mutating func renumber(_ number: (Int) -> Int) {
        for path in [\OAuth1Run.temporary, \.replayed, \.badlySigned, \.foreignCallback] {
            self[keyPath: path] = self[keyPath: path].renumbered(number)
        }
        for path in [\OAuth1Run.first, \.second, \.custom] { self[keyPath: path].renumber(number) }
    }
}

extension OAuth1Session {
    fileprivate mutating func renumber(_ number: (Int) -> Int) {
        authorization = authorization.renumbered(number)
        for path in [\OAuth1Session.temporary, \.token, \.wrongVerifier, \.reused, \.user, \.userWithoutSecret] {
            self[keyPath: path] = self[keyPath: path].renumbered(number)
        }
        for index in visits.indices { visits[index].exchange = number(visits[index].exchange) }
    }
}

extension Observation<OAuth1Answer> {
    fileprivate func renumbered(_ number: (Int) -> Int) -> Self {
        map { answer in
            var answer = answer
            answer.exchange = number(answer.exchange)
            return answer
        }
    }
}

extension Observation<AuthorizationAnswer> {
    fileprivate func renumbered(_ number: (Int) -> Int) -> Self {
        map { answer in
            var answer = answer
            answer.exchange = number(answer.exchange)
            return answer
        }
    }
}

extension Observation<TokenAnswer> {
    fileprivate func renumbered(_ number: (Int) -> Int) -> Self {
        map { answer in
            var answer = answer
            answer.exchange = number(answer.exchange)
            return answer
        }
    }
}
