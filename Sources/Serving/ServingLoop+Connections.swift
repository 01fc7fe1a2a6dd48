import CLibevent

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Events of connections.
extension ServingLoop {
    func takeInput(of identifier: UInt) {
        guard let connection = connections[identifier] else { return }
        switch connection.phase {
        case .reading: read(connection, identifier)
        case .answering: break
        case .flushing: connection.dropInput()
        case .lingering:
            connection.dropInput()
            if isOver(connection.deadline) { drop(identifier) }
        case .tunnelling(let far): copy(from: connection.stream, to: far.stream)
        }
    }

    /// Reads the received bytes and starts the first complete request.
    ///
    /// If a client does not read its responses, reading stops, so memory is limited to this buffer and one response.
    private func read(_ connection: Connection, _ identifier: UInt) {
        guard let limits = servers[connection.server]?.limits, connection.outputCount < 1 << 20 else { return }
        connection.takeInput()
        do throws(RequestReader.Refusal) {
            switch try connection.reader.next() {
            case .expectation:
                connection.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
                fallthrough
            case .incomplete:
                if connection.hasEnded {
                    end(connection, identifier)
                } else if !connection.reader.hasBegun {
                    return
                } else if isOver(connection.deadline) {
                    refuse(connection, .tooSlow)
                } else if connection.deadline == nil {
                    connection.deadline = .now + limits.idleness
                }
            case .request(let received):
                connection.deadline = nil
                begin(received, connection, identifier)
            }
        } catch {
            refuse(connection, error)
        }
    }

    /// Closes a connection after all responses are sent.
    func end(_ connection: Connection, _ identifier: UInt) {
        if connection.outputCount > 0 { connection.phase = .flushing } else { drop(identifier) }
    }

    private func isOver(_ deadline: ContinuousClock.Instant?) -> Bool {
        deadline.map { $0 < .now } ?? false
    }

    private func begin(_ received: RequestReader.Received, _ connection: Connection, _ identifier: UInt) {
        guard let handler = servers[connection.server]?.handler else { return }
        var request = received.request
        request.localAddress = connection.localAddress
        connection.exchange = received.exchange
        connection.phase = .answering(
            Task.detached { [request] in
                let answer = await handler(request)
                await self.deliver(answer, on: identifier)
            }
        )
    }

    /// Sends a handler's response, then continues with the next request or closes.
    private func deliver(_ answer: ServedAnswer, on identifier: UInt) {
        guard let connection = connections[identifier], !connection.isBroken else {
            if let tunnel = answer.tunnel { close(tunnel) }
            drop(identifier)
            return
        }
        if let tunnel = answer.tunnel { return open(tunnel, answer, on: connection, identifier) }
        connection.exchange.keepsConnection = connection.exchange.keepsConnection && !connection.isLast
        let (bytes, closes) = AnswerWriter.bytes(of: answer, connection.exchange)
        connection.write(bytes)
        if closes {
            connection.phase = .flushing
        } else {
            connection.phase = .reading
            read(connection, identifier)
        }
    }

    private func refuse(_ connection: Connection, _ refusal: RequestReader.Refusal) {
        let answer = ServedAnswer.problem(status: refusal.status, refusal.text)
        let exchange = AnswerWriter.Exchange(isHead: connection.reader.isHead, keepsConnection: false)
        connection.write(AnswerWriter.bytes(of: answer, exchange).bytes)
        connection.phase = .flushing
    }

    func outputIsSent(of identifier: UInt) {
        guard let connection = connections[identifier], let limits = servers[connection.server]?.limits else { return }
        switch connection.phase {
        case .reading: read(connection, identifier)
        case .flushing where connection.hasEnded: drop(identifier)
        case .flushing:
            connection.phase = .lingering
            connection.deadline = .now + limits.lingering
            connection.setTimeouts(limits.lingering)
            connection.endOutput()
        case .tunnelling(let far): carryOn(connection, far, identifier)
        case .answering, .lingering: break
        }
    }

    /// End of input, an error, or a timeout.
    func takeEvent(_ what: Int32, of identifier: UInt) {
        guard let connection = connections[identifier], what & BEV_EVENT_CONNECTED == 0 else { return }
        let isTimeout = what & BEV_EVENT_TIMEOUT != 0
        let isEnd = what & BEV_EVENT_EOF != 0
        let concernsReading = what & BEV_EVENT_READING != 0
        switch connection.phase {
        case .reading where isTimeout && concernsReading && connection.reader.hasBegun:
            refuse(connection, .tooSlow)
            connection.resume()
        case .reading where isEnd:
            connection.hasEnded = true
            end(connection, identifier)
        case .answering where isTimeout && concernsReading, .flushing where isTimeout && concernsReading:
            connection.resume()
        case .answering where isEnd, .flushing where isEnd:
            connection.hasEnded = true
        case .answering: connection.isBroken = true
        case .tunnelling(let far) where isEnd:
            connection.hasEnded = true
            carryOn(connection, far, identifier)
        default: drop(identifier)
        }
    }
}

extension RequestReader.Refusal {
    /// RFC 9110 section 15.5.9.
    fileprivate static let tooSlow = RequestReader.Refusal(408, "The request did not arrive in time.")
}
