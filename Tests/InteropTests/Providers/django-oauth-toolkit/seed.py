"""Creates the site's database: one user, and one client for each kind of grant, as the product registers them.

seed.py USER PASSWORD REDIRECT_URI SECRET 'CLIENT_ID GRANT_TYPE'...
"""

import sys

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402  (models exist once the site is set up)
from django.core.management import call_command  # noqa: E402
from oauth2_provider.models import Application  # noqa: E402

user, password, redirect_uri, secret, *clients = sys.argv[1:]

call_command("migrate", verbosity=0)
owner = User.objects.create_user(user, f"{user}@idp.example", password, first_name="Alice", last_name="Lab")
for client in clients:
    client_id, grant_type = client.split()
    Application.objects.create(
        client_id=client_id,
        client_secret=secret,
        name=client_id,
        user=owner,
        client_type=Application.CLIENT_CONFIDENTIAL,
        authorization_grant_type=grant_type,
        redirect_uris=redirect_uri,
        algorithm=Application.RS256_ALGORITHM,
    )
