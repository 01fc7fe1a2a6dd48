# `make` alone lists the targets. They need only Swift, git and make: missing packages are installed.
.DEFAULT_GOAL := help
.PHONY: help setup build release demo test test-all library interop slurm clients fuzz bench samples examples site format clean install install-built packages
# Builds share one folder.
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=
KIND ?= make install
# For `make fuzz`: seconds for each parser, the parsers, and the seed of the inputs.
SECONDS ?= 60
NAMES ?=
SEED ?= 1
export NAMES SEED
# For `make clients`: patterns of faults (default: all), and the time limit in seconds.
FAULTS ?=
SECONDS_OF_CLIENTS ?= 1200
# Builds this project with unsafe flags: see Package.swift. If empty, the flags are those of a package that depends on this one.
export PREFLIGHT_UNSAFE_FLAGS ?= 1
SWIFT_SOURCES := $(wildcard Package.swift Sources Tests Profiles Plugins Examples)

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1|/p' $(MAKEFILE_LIST) | while IFS='|' read -r name text; do printf '%-14s %s\n' "$$name" "$$text"; done

setup: ## install missing libraries (apt-get, with sudo if not root)
	@Scripts/setup.sh build

build: setup ## debug build: .build/debug/oidc-preflight
	swift build

release: setup ## optimised build with static Swift libraries: .build/release/oidc-preflight and oidc-preflight-provider
	mkdir -p .build
	gzip --decompress --stdout Scripts/link/start-order.txt.gz >.build/start-order.txt
	PREFLIGHT_START_ORDER=$(CURDIR)/.build/start-order.txt swift build -c release --static-swift-stdlib --product oidc-preflight
	PREFLIGHT_START_ORDER=$(CURDIR)/.build/start-order.txt swift build -c release --static-swift-stdlib --product oidc-preflight-provider

demo: build ## end-to-end run against the built-in provider: no faults (exit 0), then three (exit 1)
	.build/debug/oidc-preflight demo

test: ## format lint, build, and the tests that need only this machine
	@Scripts/test.sh

test-all: ## all tests that `make test` leaves out: oracles, sockets, real providers, browsers, sanitizers, the fuzzer, the library, batch runs
	@Scripts/test-all.sh

library: ## build the library's documentation with docc, and build and test the example package
	@Scripts/setup.sh build test
	@Scripts/library.sh

interop: ## the tests against real providers only
	@Scripts/setup.sh build test
	swift build --build-tests
	Scripts/interop.sh run

slurm: ## a batch run on a real Slurm on this machine, with one shard killed during the run (needs root)
	@Scripts/setup.sh build slurm
	swift build --product oidc-preflight
	@Scripts/slurm.sh || [ $$? = 75 ]

fuzz: ## fuzz every parser of untrusted input, 60 s each with the address sanitizer (SECONDS=5 NAMES="json url")
	@Scripts/setup.sh build
	FUZZ_SECONDS=$(SECONDS) Scripts/fuzz.sh

clients: ## sign in with client libraries at the provider with each fault (FAULTS="idtoken.* token.*" SECONDS_OF_CLIENTS=300)
	@Scripts/setup.sh build
	swift build --product oidc-preflight-provider
	FAULTS="$(FAULTS)" SECONDS_OF_CLIENTS="$(SECONDS_OF_CLIENTS)" Scripts/clients.sh

bench: release ## measure against curl, libcurl, Python, cjose and plain C; writes the tables of Documentation/Benchmarks
	@Scripts/setup.sh build test bench
	PREFLIGHT_TOOLS=1 swift build -c release --static-swift-stdlib --product verification-benchmark
	Documentation/Benchmarks/run.sh
	Documentation/Benchmarks/Fleet/run.sh

# Compiled-in tables come first, because later pages depend on them.
samples: setup ## rewrite the generated files that are committed: stage pages, coverage, outputs in guides, golden files
	swift build --build-tests
	PREFLIGHT_TESTS=all OIDC_PREFLIGHT_RECORD=1 swift test --skip-build --filter 'CoverageGeneratedPages|RefusalsGeneratedPages'
	PREFLIGHT_TESTS=all OIDC_PREFLIGHT_RECORD=1 swift test --filter 'Samples|GeneratedPagesTests|Golden' --skip Platforms
	git status --short

examples: setup ## run the fault matrix and rewrite the examples of checks and the gates of platforms; then the samples
	PREFLIGHT_TESTS=all OIDC_PREFLIGHT_RECORD=1 swift test --filter 'FaultMatrix|PlatformsGeneratedPages'
	@$(MAKE) samples

site: setup ## write the site to .build-site: all pages, manual, command reference, samples
	swift build --build-tests
	@Scripts/site.sh

format: ## format the Swift sources in place
	swift format --in-place --recursive $(SWIFT_SOURCES)

packages: release ## build and test Debian package, tarball, container image and SBOM in .build-packages (bare systems need root)
	@Scripts/setup.sh packages
	Scripts/packages.sh build
	Scripts/packages.sh try
	Scripts/packages.sh image

install: release install-built ## install the release build: make install PREFIX=/usr/local

# Installs the result of `make release`; `doctor` shows KIND as the kind of installation.
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

clean: ## remove all build results and everything installed in this folder
	@Scripts/interop.sh down
	rm -rf .build .build-python .build-interop .build-packages .build-packages-python .build-site
