import Conformance

/// Redaction of data that is kept in addition to the exchanges.
extension Recorder {
    /// A redirect without the secrets of the run in any value, address included.
    func redact(_ answer: RedirectAnswer) -> RedirectAnswer {
        var answer = answer
        answer.address = redact(url: answer.address)
        answer.query = answer.query.map(redact)
        answer.fragment = answer.fragment.map(redact)
        answer.form = answer.form.map { form in
            var form = form
            form.action = redact(url: form.action)
            form.parameters = form.parameters.map(redact)
            return form
        }
        return answer
    }

    private func redact(_ parameter: ResponseParameter) -> ResponseParameter {
        var parameter = parameter
        parameter.name = redact(parameter.name)
        parameter.value = redact(parameter.value)
        return parameter
    }

    /// A page without the secrets of the run, should it repeat one.
    func redact(_ page: PageSummary) -> PageSummary {
        var page = page
        page.address = redact(url: page.address)
        page.title = page.title.map { redact($0) }
        page.text = redact(page.text)
        page.stopped = page.stopped.map { redact($0) }
        page.nextStep = page.nextStep.map { redact($0) }
        page.forms = page.forms.map { form in
            FormSummary(action: redact(url: form.action), method: form.method, fields: form.fields.map { redact($0) })
        }
        return page
    }
}
