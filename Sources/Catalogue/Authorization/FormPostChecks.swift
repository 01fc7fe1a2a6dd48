package import Conformance

/// Responses that a form posts to the client, if the provider advertises form_post.
package enum FormPostChecks {
    private static let noForm = "the response was not a form"
    /// The request has such a state, whose characters a form must preserve.
    private static let specialState: CheckID = "authorization.state.special-characters-are-returned"
    private static let form: CheckID = "authorization.form-post.is-answered-by-a-form"

    static let isAForm = Check(
        form,
        "The provider returns a page with a form for response_mode=form_post",
        .must,
        .signIn,
        Citation(
            .formPostResponseMode,
            "2",
            "Authorization Response parameters are encoded as HTML form values that are auto-submitted"
        ),
        why: "A client that requests form_post waits for a POST that never comes.",
        reads: answers,
        supersededBy: ["authorization.flow.succeeds", specialState],
        exempt: { subject, facts in subject.isInconclusive ?? rejection(ofState: subject, facts) },
        finding: { subject, _ in
            guard subject.answer.redirect?.form == nil else { return nil }
            let found = subject.refusal ?? "a redirect to \((subject.answer.redirect?.address ?? "").shown())"
            return Finding(
                "The response to a request with response_mode=form_post is \(found).",
                at: "response_mode",
                expected: "a page with a form",
                found: found,
                fix:
                    "Return a page with a form for response_mode=form_post, or remove form_post from response_modes_supported."
            )
        }
    )

    static let containsWhatWasAsked = Check(
        "authorization.form-post.holds-what-was-asked",
        "The form contains the code and the tokens that response_type requests",
        .must,
        .signIn,
        Citation(
            .formPostResponseMode,
            "2",
            "with the result parameters being encoded in the body using the application/x-www-form-urlencoded format"
        ),
        why: "A client that requests a code or a token cannot continue without it.",
        reads: answers,
        supersededBy: ["authorization.flow.succeeds", "authorization.response.holds-what-was-asked", specialState],
        exempt: { subject, facts in subject.form == nil ? noForm : rejection(ofState: subject, facts) },
        rule: { subject, _ in
            guard let redirect = subject.answer.redirect else { return [] }
            return Artefact.all.filter { subject.asked.responseType.values.contains($0.responseTypeValue) }
                .filter { !redirect.hasValue($0.parameter) }
                .map { artefact in
                    Finding(
                        "The form contains no \(artefact.parameter)"
                            + (redirect.has("error") ? ", but the error \(redirect.errorText)." : "."),
                        at: artefact.parameter,
                        expected: artefact.parameter,
                        found: "missing or empty",
                        fix: "Add \(artefact.parameter) to the form for this response type."
                    )
                }
        }
    )

    static let actionIsRedirectURI = Check(
        "authorization.form-post.action-is-redirect-uri",
        "The form posts to the redirect URI",
        .must,
        .signIn,
        Citation(.formPostResponseMode, "2", "The action attribute of the form MUST be the Client's Redirection URI."),
        why: "The response reaches an address where the client does not expect it.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, _ in
            let wanted = subject.asked.sentParameter("redirect_uri") ?? ""
            guard let form = subject.form, !form.action.hasSameBytes(as: wanted) else { return nil }
            return Finding(
                "The action of the form is not the redirect URI of the request.",
                at: "action",
                expected: wanted.shown(),
                found: form.action.shown(),
                fix: "Set the form's action to redirect_uri exactly as it was sent, with HTML escaping only."
            )
        }
    )

    static let methodIsPost = Check(
        "authorization.form-post.method-is-post",
        "The form uses the POST method",
        .must,
        .signIn,
        Citation(.formPostResponseMode, "2", "The method of the form attribute MUST be POST."),
        why: "With GET the code and the tokens are in the URL, where the client does not look for them.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, _ in
            guard let form = subject.form, form.method != "POST" else { return nil }
            return Finding(
                "The form uses the method \(form.method.shown()).",
                at: "method",
                expected: "POST",
                found: form.method.shown(),
                fix: "Set method=\"post\" on the form."
            )
        }
    )

    static let encodingIsUsual = Check(
        "authorization.form-post.encoding-is-urlencoded",
        "The form is encoded as application/x-www-form-urlencoded",
        .must,
        .signIn,
        Citation(.formPostResponseMode, "2", "encoded in the body using the application/x-www-form-urlencoded format"),
        why: "Clients parse only this encoding and find no response in any other.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, _ in
            guard let form = subject.form, form.encoding.lowercased() != "application/x-www-form-urlencoded" else {
                return nil
            }
            return Finding(
                "The form is encoded as \(form.encoding.shown()).",
                at: "enctype",
                expected: "application/x-www-form-urlencoded",
                found: form.encoding.shown(),
                fix: "Remove the attribute enctype from the form."
            )
        }
    )

    static let pageIsHTML = Check(
        "authorization.form-post.page-is-html",
        "The page with the form has an HTML media type",
        .risk,
        .conformance,
        Citation(.formPostResponseMode, "2", "encoded as HTML form values"),
        why: "A browser that does not sniff the media type shows the page as text, and the form is never sent.",
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

    static let isNotStored = Check(
        "authorization.form-post.is-not-stored",
        "The provider forbids caches to store the page with the form",
        .must,
        .safety,
        Citation(
            .formPostResponseMode,
            "2",
            "MUST instruct the User Agent (and any intermediaries) not to store or reuse the content of the response"
        ),
        why: "A cache or the back button exposes the code and the tokens to another user.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, facts in
            facts.evidence.exchange(subject.answer.exchange)?.response
                .flatMap { JSONAnswer.mayBeStored($0, "The page with the form", "the page that contains the form") }
        }
    )

    static let sendsItself = Check(
        "authorization.form-post.sends-itself",
        "The form submits itself",
        .should,
        .signIn,
        Citation(.formPostResponseMode, "2", "auto-submitted in the User Agent"),
        why: "Users are stuck on a page without content, and the sign-in ends there.",
        reads: answers,
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        finding: { subject, _ in
            guard let form = subject.form, !form.sendsItself else { return nil }
            if let blocking = form.blocking {
                return Finding(
                    "The Content Security Policy of the page prevents its script from submitting the form.",
                    at: "Content-Security-Policy",
                    expected: "a policy that allows the script and the redirect URI",
                    found: blocking,
                    fix:
                        "Allow the script in script-src by nonce or hash, and allow the origin of the redirect URI in form-action."
                )
            }
            return Finding(
                "The page with the form has no script that submits it.",
                expected: "a script that submits the form when the page has loaded",
                found: "none",
                fix:
                    "Submit the form by script when the page has loaded, and add a button for browsers without scripting."
            )
        }
    )

    static let stateIsEchoed = Check(
        "authorization.form-post.state-is-returned",
        "The form contains state exactly as the client sent it",
        .must,
        .conformance,
        Citation(.rfc6749, "4.1.2", "The exact value received from the client."),
        why:
            "A state that is URL-encoded instead of HTML-escaped arrives changed, and the client rejects the response.",
        reads: answers,
        supersededBy: ["authorization.state.is-echoed", "authorization.state.special-characters-are-returned"],
        exempt: { subject, _ in subject.form == nil ? noForm : nil },
        rule: { subject, _ in
            guard let redirect = subject.answer.redirect else { return [] }
            return StateChecks.findings(subject.asked, redirect)
        }
    )

    static let errorIsPosted = Check(
        "authorization.form-post.error-is-posted",
        "The provider returns errors in a form for response_mode=form_post",
        .must,
        .conformance,
        Citation(
            .formPostResponseMode,
            "2",
            "Authorization Response parameters are encoded as HTML form values that are auto-submitted"
        ),
        why: "The client waits for a POST and never sees the error.",
        reads: StepResults.authorization(.formPostError, .promptNone),
        supersededBy: [form],
        exempt: { subject, _ in
            subject.answer.redirect?.has("error") == true ? nil : "the response was not an error at the redirect URI"
        },
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.form == nil else { return nil }
            return Finding(
                "The provider returns an error in the \(redirect.isInQuery("error") ? "query" : "fragment") of the "
                    + "redirect URI, although the request has response_mode=form_post.",
                at: "error",
                expected: "a page with a form",
                found: "a redirect",
                fix: "Return errors in a form when the request has response_mode=form_post."
            )
        }
    )

    package static let all: [Check] = [
        isAForm, containsWhatWasAsked, actionIsRedirectURI, methodIsPost, encodingIsUsual, pageIsHTML, isNotStored,
        sendsItself, stateIsEchoed, errorIsPosted,
    ]

    /// Why an error says nothing about form_post: the provider rejects the state alone as well, at whatever level the
    /// platform reports that.
    private static func rejection(ofState subject: AuthorizationResult, _ facts: Facts) -> String? {
        let alone = StepResults.authorization(.unusualValues, .specialState).samples(facts).first?.observation.value
        guard subject.refusal != nil, case .refused? = alone?.outcome else { return nil }
        return "the provider rejects special characters in state without form_post as well"
    }

    private static let answers = StepResults.authorizations(
        ofTypes: .formPost,
        whenEmpty: "response_modes_supported does not list form_post",
        isOffered: { facts in
            // Without a discovery document nothing is known, and the samples give the reason.
            facts.metadata.value.map { $0.strings("response_modes_supported")?.contains("form_post") ?? false } ?? true
        },
        concerns: { _ in true }
    )
}

extension AuthorizationResult {
    /// The form that posts the response to the client.
    fileprivate var form: PostedResponse? { answer.redirect?.form }
}
