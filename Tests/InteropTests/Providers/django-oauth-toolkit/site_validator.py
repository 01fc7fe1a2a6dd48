"""The claims of a user: the product leaves them to the site, in this class."""

from oauth2_provider.oauth2_validators import OAuth2Validator


class Validator(OAuth2Validator):
    """Returns the claims regardless of the scope, as the product's documentation shows."""

    oidc_claim_scope = None

    def get_additional_claims(self, request):
        person = request.user
        return {"given_name": person.first_name, "family_name": person.last_name, "email": person.email}
