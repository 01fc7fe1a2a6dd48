/// The checkboxes of a form that grant the client's request, and nothing else.
enum ConsentBoxes {
    /// The boxes of a consent form: those of the requested scopes, or all that have to do with the grant.
    ///
    /// The second way is for pages that number their scopes, and for requests whose scopes are unknown here. Without any ticked
    /// box, such a page reports that the user denied access.
    static func granting(_ scopes: [String], in form: HTMLForm) -> [HTMLControl] {
        let boxes = open(in: form).filter { !isUnrelated($0) }
        let requested = boxes.filter { box in scopes.contains { represents(box, $0) } }
        if !requested.isEmpty { return requested }
        let ofGrant = boxes.filter(isOfGrant)
        return ofGrant.contains(where: \.isChecked) ? [] : ofGrant
    }

    /// The boxes without which a browser does not send the form.
    static func required(in form: HTMLForm) -> [HTMLControl] { open(in: form).filter(\.isRequired) }

    /// The consenting option of each group of radio buttons that has one, a declining one, and none that is chosen; not of a group
    /// about something else.
    static func agreeing(in form: HTMLForm) -> [HTMLControl] {
        let radios = form.controls.filter { $0.type == "radio" && !$0.isDisabled && !$0.name.isEmpty }
        return Dictionary(grouping: radios, by: \.name).values
            .compactMap { group in
                let isOther = group.contains { button in
                    speaksOfAdvertising(button) || ButtonWords.speaksOfOtherEffect(button.name + " " + button.label)
                }
                guard !isOther else { return nil }
                let consenting = group.filter { ButtonWords.meaning(of: $0) == .proceeds }
                guard !group.contains(where: \.isChecked), consenting.count == 1 else { return nil }
                return group.contains { ButtonWords.meaning(of: $0) == .cancels } ? consenting.first : nil
            }
    }

    private static func open(in form: HTMLForm) -> [HTMLControl] {
        form.controls.filter { $0.type == "checkbox" && !$0.isDisabled && !$0.name.isEmpty }
    }

    /// Whether a box is that of a scope, by its value, or by its name where the value says only that it is ticked.
    private static func represents(_ box: HTMLControl, _ scope: String) -> Bool {
        if box.value == scope { return true }
        guard ["on", "true", "1", "yes", "y"].contains(box.value.lowercased()) else { return false }
        if box.name == scope { return true }
        let name = box.name.hasSuffix("]") ? box.name.dropLast() : box.name[...]
        guard name.hasSuffix(scope) else { return false }
        let head = name.dropLast(scope.count)
        guard let separator = head.last, "[._-:".contains(separator) else { return false }
        return ButtonWords.words(in: String(head)).contains(where: grants.contains)
    }

    private static func isOfGrant(_ box: HTMLControl) -> Bool {
        ButtonWords.words(in: box.name).contains(where: grants.contains)
            || ButtonWords.meaning(of: box.name) == .proceeds
    }

    /// Whether a box is about something that the client did not request, such as how long to remember the choice.
    private static func isUnrelated(_ box: HTMLControl) -> Bool {
        speaksOfAdvertising(box) || texts(of: box).contains { asides.isIn($0) }
    }

    private static func speaksOfAdvertising(_ box: HTMLControl) -> Bool {
        texts(of: box).contains { advertising.isIn($0) }
    }

    private static func texts(of box: HTMLControl) -> [String] {
        [box.name, box.identifier, box.label, box.accessibleName]
    }

    private static let advertising = WordList(
        words: """
            newsletter marketing ads ad advertising advertisement advertisements offers news promo promotions sms partner partners
            werbung angebote publicité offres publicidad ofertas pubblicità offerte
            """,
        parts: "",
        phrases: []
    )

    private static let grants: Set<String> = [
        "scope", "scopes", "grant", "grants", "granted", "permission", "permissions", "claim", "claims",
    ]

    private static let asides = WordList(
        words: """
            remember again
            trust stay keep deny denied reject rejected decline declined refuse revoke
            merken speichern angemeldet nochmal souvenir mémoriser recordar recuérdame lembrar ricorda onthoud zapamiętaj
            запомнить hatırla
            """,
        parts: "rememberme rememberconsent 记住 記住 記憶 기억",
        phrases: ["not ask", "don t ask", "nicht mehr fragen", "nicht erneut", "plus demander"]
    )
}
