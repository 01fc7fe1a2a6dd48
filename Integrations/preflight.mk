# For a Makefile that builds or deploys a provider: `include preflight.mk`, then `deploy: preflight`.
# Set ISSUER or write preflight.yaml. PREFLIGHT_FLAGS adds options: PREFLIGHT_FLAGS='--require full --profile firebase-oidc'.
OIDC_PREFLIGHT ?= oidc-preflight
PREFLIGHT_REPORTS ?= oidc-preflight-reports
# The only issuers and hosts that receive secrets.
PREFLIGHT_ALLOW_ISSUER ?= $(ISSUER)

.PHONY: preflight
preflight:
	$(OIDC_PREFLIGHT) check --report-dir '$(PREFLIGHT_REPORTS)' \
		$(foreach pattern,$(PREFLIGHT_ALLOW_ISSUER),--allow-issuer '$(pattern)') $(PREFLIGHT_FLAGS) $(ISSUER)
