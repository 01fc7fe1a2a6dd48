package import Conformance

/// Responses that are posted to the client by a form, where the provider says that it can.
package enum FormPostChecks {
    private static let noForm = "the answer was no form"
    private static let form: CheckID = "authorization.form-post.is-answered-by-a-form"

    package static let isAForm = Check(
        form,
        "response_mode=form_post is answered with a page that holds a form",
        .must,
        .signIn,
        Citation(
            .formPostResponseMode,
            "2",
            "Authorization Response parameters are encoded as HTML form values that are auto-submitted"
        ),
        why: "A client that asked for a form waits for a POST that never comes.",
        reads: answers,
        excusedBy: ["authorization.flow.succeeds"],
        exempt: { subject, _ in subject.isUndecided },
        finding: { subject, _ in
            guard subject.answer.redirect?.form == nil else { return nil }
            let found = subject.refusal ?? "a redirect to \((subject.answer.redirect?.address ?? "").shown())"
            return Finding(
                "A request with response_mode=form_post was answered with \(found).",
                at: "response_mode",
                expected: "a page with a form",
                found: found,
                fix:
                    "Answer response_mode=form_post with a form, or take form_post out of response_modes_supported."
            )
        }
    )

    package static let holdsWhatWasAsked = Check(
        "authorization.form-post.holds-what-was-asked",
        "The form holds every artefact that the response type names",
        .must,
        .signIn,
        Citation(
            .formPostResponseMode,
            "2",
            "with the result parameters being encoded in the body using the application/x-www-form-urlencoded format"
        ),
        why: "A client that asked for a code or a token cannot go on without it.",
        reads: answers,
        excusedBy: ["authorization.flow.succeeds", "authorization.response.holds-what-was-asked"],
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        rule: { subject, _ in
            guard let redirect = subject.answer.redirect else { return [] }
            return Artefact.all
                .filter { subject.asked.responseType.values.contains($0.responseTypeValue) }
                .filter { !redirect.hasValue($0.parameter) }
                .map { artefact in
                    Finding(
                        "The form holds no \(artefact.parameter)"
                            + (redirect.has("error") ? " but the error \(redirect.errorText)." : "."),
                        at: artefact.parameter,
                        expected: artefact.parameter,
                        found: "missing or empty",
                        fix: "Put \(artefact.parameter) into the form for this response type."
                    )
                }
        }
    )

    package static let actionIsRedirectURI = Check(
        "authorization.form-post.action-is-redirect-uri",
        "The form goes to the redirect URI",
        .must,
        .signIn,
        Citation(
            .formPostResponseMode,
            "2",
            "The action attribute of the form MUST be the Client's Redirection URI."
        ),
        why: "The response reaches an address where nobody waits for it.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, _ in
            let wanted = subject.asked.sentParameter("redirect_uri") ?? ""
            guard let form = subject.form, !form.action.hasSameOctets(as: wanted) else { return nil }
            return Finding(
                "The form does not go to the redirect URI of the request.",
                at: "action",
                expected: wanted.shown(),
                found: form.action.shown(),
                fix: "Write the redirect URI into the form's action as it was sent, escaped for HTML alone."
            )
        }
    )

    package static let methodIsPost = Check(
        "authorization.form-post.method-is-post",
        "The form is sent by POST",
        .must,
        .signIn,
        Citation(.formPostResponseMode, "2", "The method of the form attribute MUST be POST."),
        why: "By GET the code and the tokens stand in the address, and the client does not look for them there.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, _ in
            guard let form = subject.form, form.method != "POST" else { return nil }
            return Finding(
                "The form is sent by \(form.method.shown()).",
                at: "method",
                expected: "POST",
                found: form.method.shown(),
                fix: "Write method=\"post\" into the form."
            )
        }
    )

    package static let encodingIsUsual = Check(
        "authorization.form-post.encoding-is-urlencoded",
        "The form is sent as application/x-www-form-urlencoded",
        .must,
        .signIn,
        Citation(
            .formPostResponseMode,
            "2",
            "encoded in the body using the application/x-www-form-urlencoded format"
        ),
        why: "Clients read no other format and find no response in it.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, _ in
            guard let form = subject.form, form.encoding.lowercased() != "application/x-www-form-urlencoded" else {
                return nil
            }
            return Finding(
                "The form is sent as \(form.encoding.shown()).",
                at: "enctype",
                expected: "application/x-www-form-urlencoded",
                found: form.encoding.shown(),
                fix: "Leave the attribute enctype out of the form."
            )
        }
    )

    package static let pageIsHTML = Check(
        "authorization.form-post.page-is-html",
        "The page with the form says that it is HTML",
        .risk,
        .conformance,
        Citation(.formPostResponseMode, "2", "encoded as HTML form values"),
        why: "Without a media type a browser guesses, and one that was told not to guess shows the page as text.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, facts in
            guard let response = facts.evidence.exchange(subject.answer.exchange)?.response,
                !["text/html", "application/xhtml+xml"].contains(response.mediaType)
            else { return nil }
            return Finding(
                "The page with the form has "
                    + (response.mediaType.map { "the media type \($0.quoted)." } ?? "no Content-Type."),
                at: "Content-Type",
                expected: "text/html",
                found: response.mediaType?.shown() ?? "missing",
                fix: "Send the page with Content-Type: text/html; charset=utf-8."
            )
        }
    )

    package static let isNotStored = Check(
        "authorization.form-post.is-not-stored",
        "The page with the form is not to be stored",
        .must,
        .safety,
        Citation(
            .formPostResponseMode,
            "2",
            "MUST instruct the User Agent (and any intermediaries) not to store or reuse the content of the response"
        ),
        why: "A cache or the back button shows somebody else the code and the tokens.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, facts in
            facts.evidence.exchange(subject.answer.exchange)?.response
                .flatMap { JSONAnswer.mayBeStored($0, "The page with the form", "that page") }
        }
    )

    package static let sendsItself = Check(
        "authorization.form-post.sends-itself",
        "The form is sent without the person's doing",
        .should,
        .signIn,
        Citation(.formPostResponseMode, "2", "auto-submitted in the User Agent"),
        why: "People stop at a page with nothing to read, and the sign-in ends there.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, _ in
            guard let form = subject.form, !form.sendsItself else { return nil }
            if let blocking = form.blocking {
                return Finding(
                    "The policy of the page with the form keeps its script from sending it.",
                    at: "Content-Security-Policy",
                    expected: "a policy that allows the script and the redirect URI",
                    found: blocking,
                    fix:
                        "Allow the script in script-src by a nonce or its hash, and the origin of the redirect URI in form-action."
                )
            }
            return Finding(
                "The page with the form has no script that could send it.",
                expected: "a script that sends the form when the page is there",
                found: "none",
                fix:
                    "Send the form by script when the page has been loaded, with a button for browsers without script."
            )
        }
    )

    package static let stateIsEchoed = Check(
        "authorization.form-post.state-is-returned",
        "The form holds state exactly as it was sent",
        .must,
        .conformance,
        Citation(.rfc6749, "4.1.2", "The exact value received from the client."),
        why: "A value that is escaped for an address where it should be escaped for HTML is another value.",
        reads: answers,
        excusedBy: ["authorization.state.is-echoed", "authorization.state.special-characters-are-returned"],
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        rule: { subject, _ in
            guard let redirect = subject.answer.redirect else { return [] }
            return StateChecks.findings(subject.asked, redirect)
        }
    )

    package static let errorIsPosted = Check(
        "authorization.form-post.error-is-posted",
        "Errors are posted as well when the request says response_mode=form_post",
        .must,
        .conformance,
        Citation(
            .formPostResponseMode,
            "2",
            "Authorization Response parameters are encoded as HTML form values that are auto-submitted"
        ),
        why: "The client waits for a POST and never learns of the error.",
        reads: Conversations.authorization(.formPostError, .promptNone),
        excusedBy: [form],
        exempt: { subject, _ in
            subject.answer.redirect?.has("error") == true ? nil : "the answer was no error at the redirect URI"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.form == nil else { return nil }
            return Finding(
                "An error came in the \(redirect.isInQuery("error") ? "query" : "fragment") of the redirect URI, "
                    + "though the request said response_mode=form_post.",
                at: "error",
                expected: "a page with a form",
                found: "a redirect",
                fix: "Return errors in the response mode of the request."
            )
        }
    )

    package static let all: [Check] = [
        isAForm, holdsWhatWasAsked, actionIsRedirectURI, methodIsPost, encodingIsUsual, pageIsHTML, isNotStored,
        sendsItself, stateIsEchoed, errorIsPosted,
    ]

    private static let answers = Conversations.authorizations(
        ofTypes: .formPost,
        whenEmpty: "response_modes_supported does not list form_post",
        isOffered: { facts in
            // Without a document to read nothing is known; the samples then say why.
            facts.metadata.value.map { $0.strings("response_modes_supported")?.contains("form_post") ?? false } ?? true
        },
        concerns: { _ in true }
    )
}

extension AnsweredAuthorization {
    /// The form that takes the response to the client.
    fileprivate var form: PostedResponse? { answer.redirect?.form }
}
