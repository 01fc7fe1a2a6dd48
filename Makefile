# `make` alone says what can be made. Nothing here needs more than Swift, git and make: the rest is installed when missing.
.DEFAULT_GOAL := help
.PHONY: help setup build release demo test test-all library interop slurm clients fuzz bench samples examples site format clean install install-built packages
# Steps that build share one folder, and the tests use fixed ports.
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=
KIND ?= make install
# Of `make fuzz`: how long each parser is tried, and which; the seed decides on the texts.
SECONDS ?= 60
NAMES ?=
SEED ?= 1
export NAMES SEED
# Of `make clients`: patterns of faults, all if there are none, and how many seconds the whole may take.
FAULTS ?=
SECONDS_OF_CLIENTS ?= 1200
# This project builds for itself: see Package.swift. Left empty, the flags are those of a package that depends on this one.
export PREFLIGHT_UNSAFE_FLAGS ?= 1
SWIFT_SOURCES := $(wildcard Package.swift Sources Tests Profiles Plugins Examples)

help: ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## /make \1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do printf '%-14s %s\n' "$$name" "$$text"; done

setup: ## install the missing libraries (apt-get, with sudo when not root)
	@Scripts/setup.sh build

build: setup ## debug build: .build/debug/oidc-preflight
	swift build

release: setup ## optimised build with Swift's libraries inside: .build/release/oidc-preflight and the provider beside it
	swift build -c release --static-swift-stdlib --product oidc-preflight
	swift build -c release --static-swift-stdlib --product oidc-preflight-provider

demo: build ## the main job on the embedded provider: faultless, then with three faults
	.build/debug/oidc-preflight demo

test: ## format lint, build, and the tests that need nothing but this machine
	@Scripts/test.sh

test-all: ## what `make test` leaves out: oracles, sockets, real providers, browsers, sanitizers, the library, batch runs
	@Scripts/test-all.sh

library: ## the library's pages by docc, and the example package as its user runs it
	@Scripts/setup.sh build test
	@Scripts/library.sh

interop: ## the tests against real providers only
	@Scripts/setup.sh build test
	swift build --build-tests
	Scripts/interop.sh run

slurm: ## a fleet on a real Slurm of this machine, one of its parts killed in the middle (takes root)
	@Scripts/setup.sh build slurm
	swift build --product oidc-preflight
	@Scripts/slurm.sh || [ $$? = 75 ]

fuzz: ## broken texts for every parser of foreign bytes, 60 s each under the address sanitizer (SECONDS=5 NAMES="json url")
	@Scripts/setup.sh build
	FUZZ_SECONDS=$(SECONDS) Scripts/fuzz.sh

clients: ## have client libraries sign in at the provider with its faults (FAULTS="idtoken.* token.*" SECONDS_OF_CLIENTS=300)
	@Scripts/setup.sh build
	swift build --product oidc-preflight-provider
	FAULTS="$(FAULTS)" SECONDS_OF_CLIENTS="$(SECONDS_OF_CLIENTS)" Scripts/clients.sh

bench: release ## measure against curl, libcurl, Python, cjose and plain C; writes the tables of Documentation/Benchmarks
	@Scripts/setup.sh build test bench
	PREFLIGHT_TOOLS=1 swift build -c release --static-swift-stdlib --product verification-benchmark
	Documentation/Benchmarks/run.sh
	Documentation/Benchmarks/Fleet/run.sh

# Tables that are compiled in come first, so that the pages after them are right.
samples: setup ## rewrite the generated files that are committed: stage pages, coverage, outputs in guides, golden files
	swift build --build-tests
	PREFLIGHT_TESTS=all OIDC_PREFLIGHT_RECORD=1 swift test --skip-build --filter 'CoverageGeneratedPages|RefusalsGeneratedPages'
	PREFLIGHT_TESTS=all OIDC_PREFLIGHT_RECORD=1 swift test --filter 'Samples|GeneratedPagesTests|Golden' --skip Platforms
	git status --short

examples: setup ## run the fault matrix and rewrite the examples of checks and the gates of platforms; then the samples
	PREFLIGHT_TESTS=all OIDC_PREFLIGHT_RECORD=1 swift test --filter 'FaultMatrix|PlatformsGeneratedPages'
	@$(MAKE) samples

site: setup ## write the documentation for publishing into .build-site: all pages, manual, command reference, samples
	swift build --build-tests
	@Scripts/site.sh

format: ## format the Swift sources in place
	swift format --in-place --recursive $(SWIFT_SOURCES)

packages: release ## Debian package, tarball, container image and SBOM in .build-packages, each tried (bare systems take root)
	@Scripts/setup.sh packages
	Scripts/packages.sh build
	Scripts/packages.sh try
	Scripts/packages.sh image

install: release install-built ## install the release build: make install PREFIX=/usr/local

# What `make release` has built, to a place of its own; KIND is what `doctor` says of the installation.
install-built:
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec/oidc-preflight"
	install -s -m 755 .build/release/oidc-preflight "$(DESTDIR)$(PREFIX)/bin/oidc-preflight"
	install -s -m 755 .build/release/oidc-preflight-provider "$(DESTDIR)$(PREFIX)/libexec/oidc-preflight/oidc-preflight-provider"
	install -d "$(DESTDIR)$(PREFIX)/share/man/man1" "$(DESTDIR)$(PREFIX)/share/oidc-preflight"
	.build/release/oidc-preflight manual --pages "$(DESTDIR)$(PREFIX)/share/man/man1"
	.build/release/oidc-preflight config schema >"$(DESTDIR)$(PREFIX)/share/oidc-preflight/preflight.schema.json"
	echo '$(KIND)' >"$(DESTDIR)$(PREFIX)/share/oidc-preflight/installation"
	install -d "$(DESTDIR)$(PREFIX)/share/bash-completion/completions" \
	    "$(DESTDIR)$(PREFIX)/share/zsh/site-functions" "$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d"
	.build/release/oidc-preflight completions bash >"$(DESTDIR)$(PREFIX)/share/bash-completion/completions/oidc-preflight"
	.build/release/oidc-preflight completions zsh >"$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_oidc-preflight"
	.build/release/oidc-preflight completions fish >"$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/oidc-preflight.fish"

clean: ## remove everything that was built or installed inside this folder
	@Scripts/interop.sh down
	rm -rf .build .build-python .build-interop .build-packages .build-packages-python .build-site
