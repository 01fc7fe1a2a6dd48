/// The meaning of the words on a button, in the languages of providers' pages.
enum ButtonWords {
    /// The meaning of a button for a user who wants to continue.
    enum Meaning {
        case proceeds
        case cancels
        case unknown
    }

    /// The meaning of a button: its visible words decide, then its accessible name, its value and its name.
    static func meaning(of button: HTMLControl) -> Meaning {
        for text in [button.label, button.accessibleName, button.value, button.name, button.identifier] {
            let meaning = meaning(of: text)
            if meaning != .unknown { return meaning }
        }
        return .unknown
    }

    /// The meaning of a text; a single declining word outweighs every consenting one ("Do not allow").
    static func meaning(of text: String) -> Meaning {
        let words = words(in: text)
        if words.contains(where: refusals.contains) || containsPhrase(of: refusingPhrases, words) {
            return .cancels
        }
        if ButtonLanguages.refusals.isIn(text) { return .cancels }
        return words.contains(where: consents.contains) || ButtonLanguages.consents.isIn(text) ? .proceeds : .unknown
    }

    /// Whether a text speaks of signing in.
    static func speaksOfSignIn(_ text: String) -> Bool {
        let words = words(in: text)
        return (words.contains(where: signIn.contains) || ButtonLanguages.signIn.isIn(text))
            && !words.contains(where: otherWays.contains)
    }

    /// Whether a text speaks of logging out, and not of staying.
    static func speaksOfSignOut(_ text: String) -> Bool {
        let words = words(in: text)
        if words.contains(where: { ["no", "not", "cancel", "stay", "nein", "nicht", "abbrechen", "non"].contains($0) })
        {
            return false
        }
        return words.contains(where: signOut.contains) || ButtonLanguages.signOut.isIn(text)
            || containsPhrase(of: ["log out", "sign out", "log off"], words)
    }

    /// Whether a text speaks of another way to sign in, such as another provider's account.
    static func speaksOfOtherWay(_ text: String) -> Bool { words(in: text).contains(where: otherWays.contains) }

    /// Whether a text speaks of something that is no sign-in: it changes or ends an account or a session, sends a message, or buys.
    static func speaksOfOtherEffect(_ text: String) -> Bool { words(in: text).contains(where: otherEffects.contains) }

    /// Whether a text declines an offer for now, such as the setup of a second factor.
    static func speaksOfSkipping(_ text: String) -> Bool {
        let words = words(in: text)
        return words.contains(where: skipping.contains)
            || containsPhrase(of: skippingPhrases, words) || ButtonLanguages.skipping.isIn(text)
    }

    /// Whether a text grants something to a client, which "Continue" may not.
    static func speaksOfGrant(_ text: String) -> Bool {
        words(in: text).contains(where: grants.contains) || ButtonLanguages.grants.isIn(text)
    }

    /// Whether a text says nothing but to sign in, which "Continue" does not.
    static func isSignInAlone(_ text: String) -> Bool {
        let words = words(in: text)
        return !words.contains(where: otherWays.contains)
            && (words.contains(where: signInAlone.contains)
                || containsPhrase(of: ["sign in", "log in", "iniciar sesión"], words))
    }

    private static func containsPhrase(of phrases: [String], _ words: [String]) -> Bool {
        let joined = " " + words.joined(separator: " ") + " "
        return phrases.contains { joined.contains(" \($0) ") }
    }

    /// The words in lower case, `camelCase` and `snake_case` taken apart.
    static func words(in text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var endsLower = false
        for character in text {
            let startsHump = character.isUppercase && endsLower
            if !word.isEmpty, !character.isLetter || startsHump {
                words.append(word.lowercased())
                word = ""
            }
            if character.isLetter { word.append(character) }
            endsLower = character.isLowercase
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        return words
    }

    private static let consents = set(
        """
        accept accepted allow authorize authorise approve approved yes continue grant confirm agree consent next ok
        okay proceed permit submit
        akzeptieren annehmen zulassen erlauben genehmigen zustimmen bestätigen ja weiter fortfahren autorisieren
        gestatten einwilligen einverstanden zustimme akzeptiere erlaube
        accepter accepte autoriser autorise approuver oui continuer confirmer valider permettre poursuivre suivant
        aceptar acepto permitir autorizar aprobar sí continuar confirmar conceder siguiente
        akceptuj akceptuję zezwól zezwalam zezwalaj zatwierdź autoryzuj tak kontynuuj potwierdź dalej zgadzam zgoda
        accetta accetto consenti autorizza approva sì continua conferma concedi prosegui avanti
        aceitar aceito aprovar sim seguinte avançar prosseguir concordo concordar
        accepteren toestaan autoriseren goedkeuren doorgaan bevestigen verlenen akkoord verder volgende
        """
    )

    private static let refusals = set(
        """
        cancel deny decline reject refuse no not never logout signout logoff disallow abort back forgot forgotten reset
        register without later skip switch revoke remove delete don dont forget guest
        abbrechen ablehnen verweigern nein abmelden nicht zurück vergessen registrieren ohne
        annuler refuser refuse non pas déconnexion déconnecter retour oublié sans
        cancelar denegar rechazar cerrar volver sin salir
        anuluj odrzuć odmów odmawiam nie wyloguj wstecz
        annulla nega rifiuta esci disconnetti indietro senza
        negar recusar rejeitar não sair voltar
        annuleren weigeren afwijzen nee uitloggen afmelden terug niet zonder
        """
    )

    private static let refusingPhrases = [
        "log out", "sign out", "log off", "sign up", "other account", "another account",
    ]

    private static let signIn = set(
        """
        login sign signin log submit next continue verify bestätigen verificar verifica vérifier anmelden einloggen weiter connexion connecter continuer suivant
        iniciar entrar acceder continuar siguiente zaloguj dalej accedi entra avanti inloggen aanmelden volgende
        """
    )

    private static let skipping = set(
        """
        skip later remind überspringen später omitir pomiń później salta pular tard tarde tardi overslaan ignorer ignorar ignora
        saltar
        """
    )

    private static let skippingPhrases = [
        "not now", "jetzt nicht", "nicht jetzt", "pas maintenant", "ahora no", "agora não", "non ora", "niet nu",
        "nie teraz",
    ]

    private static let grants = set(
        """
        accept allow authorize authorise approve grant agree consent permit
        akzeptieren akzeptiere annehmen zulassen erlauben erlaube genehmigen zustimmen zustimme autorisieren gestatten einwilligen
        einverstanden
        accepter accepte autoriser autorise approuver permettre
        aceptar acepto permitir autorizar aprobar conceder
        akceptuj akceptuję zezwól zezwalam zezwalaj zatwierdź autoryzuj zgadzam zgoda
        accetta accetto consenti autorizza approva concedi
        aceitar aceito aprovar concordo concordar
        accepteren toestaan autoriseren goedkeuren verlenen akkoord
        """
    )

    private static let signInAlone = set(
        "login signin anmelden einloggen connexion connecter entrar acceder zaloguj accedi inloggen aanmelden"
    )

    private static let signOut = set(
        """
        logout signout logoff abmelden ausloggen déconnexion déconnecter cerrar salir wyloguj esci disconnetti sair
        uitloggen afmelden
        """
    )

    private static let otherEffects = set(
        """
        delete deletion deactivate deactivation close terminate termination create register registration signup change set disable
        enable enrol enroll enrolment enrollment reset recover recovery unlock reactivate link unlink merge pay payment buy purchase
        subscribe unsubscribe premium donate donation report feedback invite invitation join revoke revocation end ending
        sessions newsletter mailing advertising magic turn cookies cookie locale
        löschen schließen beenden ändern deaktivieren aktivieren bezahlen kaufen
        supprimer fermer créer changer désactiver activer payer acheter signaler
        eliminar borrar cerrar crear cambiar desactivar activar pagar comprar
        """
    )

    private static let otherWays = set(
        """
        with mit avec via using google microsoft facebook apple github gitlab twitter linkedin passkey sso saml
        webauthn kerberos qr wallet
        """
    )

    private static func set(_ words: String) -> Set<String> { Set(words.split { $0.isWhitespace }.map(String.init)) }
}
