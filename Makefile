# make         make a debug build; installs what is missing first
# make run     verify a card
# make test    run all tests
# make help    list the targets that people type

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
VECTORS := TestVectors
PYTHON ?= /usr/bin/python3
# A release links Swift's own libraries statically, so it runs without an installed Swift and starts faster. It does the
# same with the C++ library that Swift needs, because loading that takes a tenth of a run's time. OpenSSL and zlib stay
# dynamic, so that the system's updates apply. Libraries in the program's own folder are not loaded, and the program
# exports only the symbols it must.
ARCHIVES := $(CURDIR)/.build/archives
# Another folder or day gives the same program, byte for byte. Between equally good instructions, the compiler sometimes chooses by the
# order of addresses, so these are not random. --version prints the commit, for which only one file is compiled again.
FIXED := $(shell setarch -R true 2>/dev/null && echo setarch -R)
# To whom bugs and weaknesses are reported: make deb MAINTAINER='Jane Doe <jane@clinic.example>' HOMEPAGE=https://clinic.example/shcverify
MAINTAINER ?=
HOMEPAGE ?=
export SHCVERIFY_MAINTAINER := $(MAINTAINER)
export SHCVERIFY_HOMEPAGE := $(HOMEPAGE)
# What .ci/deep notes about a commit is no change of it.
COMMIT := $(shell git describe --always --exclude='*' --abbrev=12 2>/dev/null)$(if \
	$(shell git status --porcelain --untracked-files=no -- . ':!.ci/deep.md' 2>/dev/null),-dirty)
# Generic types are made by calls, and not from their names when the program starts: from a name, the runtime walks through all its records for
# each condition of a type, and ArgumentParser has several such types for each group of options.
RELEASE_BUILD = SHCVERIFY_RELEASE=1 SHCVERIFY_TARGETS=shcverify,shcverify-fetch SHCVERIFY_COMMIT=$(COMMIT) $(FIXED) $(SWIFT) build $(RELEASE)
RELEASE := --configuration release --only-use-versions-from-resolved-file --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
	-Xswiftc "-L$(ARCHIVES)" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
	-Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
CLANG ?= $(dir $(shell command -v $(SWIFT)))clang
DOCC ?= $(dir $(shell command -v $(SWIFT)))docc
STRIP ?= strip
DIST := .build/dist
# The manual and the completions, in the folders in which they are installed.
SHARE := .build/share
MANUAL := man/man1
SCHEMAS := shcverify/schemas
EXAMPLES := shcverify/examples
COMPLETIONS := bash-completion/completions/shcverify zsh/site-functions/_shcverify fish/vendor_completions.d/shcverify.fish
# The date in everything that is made for a release is that of the commit, so that a second build is equal.
ifndef SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH := $(shell git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md)
endif
export SOURCE_DATE_EPOCH SWIFT CLANG DOCC PYTHON
# The program that reads pictures is always a release build, because a debug build would be too slow. It shares the C++ library
# with the decoders, so that exceptions can pass between them.
SCANNER := Scanner/.build/release/shcverify-scan
SCANNER_LIBRARIES := libzxing-dev libzbar-dev libpng-dev libjpeg-dev libwebp-dev libgif-dev libtiff-dev libheif-dev \
	libqpdf-dev libseccomp-dev
DRAWING_PROGRAMS := poppler-utils librsvg2-bin

.DEFAULT_GOAL := build

# All targets are names of what is done, and of no file.
.PHONY: $(shell sed -nE 's/^([a-z][a-z0-9 -]*):([^=].*)?$$/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## list these targets; CONTRIBUTING.md has most of the others
	@sed -nE 's/^([a-z]+):[^#]* ## (.*)/make \1:\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F : '{ printf "%-16s%s\n", $$1, $$2 }'

# Only the programs that run here are built, and the one in C++ beside the others. Whole modules, without debug information, take two thirds of
# the time of a debug build.
RUN := .build/run
run: setup setup-scanner ## verify a card
	@$(MAKE) --no-print-directory -j2 run-program scanner
	@install -m 755 $(SCANNER) $(RUN)/release/
	@echo
	$(RUN)/release/shcverify $(VECTORS)/cards/inputs/file.smart-health-card \
		--jwks https://issuer-a.example/cards=$(VECTORS)/keys/issuer-a.jwks.json --offline
	@echo
	$(RUN)/release/shcverify records $(VECTORS)/pictures/photo.jpg \
		--jwks https://issuer-a.example/cards=$(VECTORS)/keys/issuer-a.jwks.json --offline

run-program:
	SHCVERIFY_TARGETS=shcverify $(SWIFT) build --scratch-path $(RUN) --product shcverify --configuration release -Xswiftc -Onone \
		-debug-info-format none

# With PROGRAMS, the tests start the programs in that folder, such as those of a release, and not those that are built with them.
PROGRAMS ?=
SANITIZE ?=
TESTS ?=
test: export SHCVERIFY_PROGRAMS = $(abspath $(PROGRAMS))
test: setup-test scanner ## run all tests (TESTS=PATTERN for some; SANITIZE=address, thread or undefined)
	$(PYTHON) -B Scripts/run-tests.py $(if $(SANITIZE),--sanitize $(SANITIZE)) '$(TESTS)'

build: setup scanner ## make a debug build, as plain make does
	$(SWIFT) build
	@install -m 755 $(SCANNER) .build/debug/

# Builds shcverify-scan, which is a package of its own (Scanner/Package.swift).
scanner: setup-scanner
	$(FIXED) $(SWIFT) build --package-path Scanner --configuration release --static-swift-stdlib --disable-local-rpath

# The programs are stripped into a separate folder, because swift build would link a changed program again. The archive
# of libstdc++ is in a folder without the shared library, since the linker would prefer that. If there is no archive,
# the shared library is used. The sections that are removed are hashes of what the compiler read, paths included.
release: contact setup-release setup-scanner ## make a release build in .build/dist
	@mkdir -p $(ARCHIVES) $(DIST)
	@ln -sf "$$($(CLANG) -print-file-name=libstdc++.a || echo libstdc++.a)" $(ARCHIVES)/libstdc++.a
	@$(MAKE) --no-print-directory -j2 release-programs scanner
	@for program in .build/release/shcverify .build/release/shcverify-fetch $(SCANNER); do \
		stripped=$(DIST)/$${program##*/}; \
		$(STRIP) --remove-section=.swift_modhash --remove-section=.note.gnu.build-id -o $$stripped $$program || exit 1; \
		echo "$$stripped: $$(($$(wc -c < $$stripped) / 1048576)) MB"; \
	done

release-programs:
	$(RELEASE_BUILD)

# Before a build, which takes minutes.
contact:
	@$(PYTHON) -B Packaging/contact.py

# Checks that an installed release verifies and fetches on a system without Swift.
release-check: release setup-test
	$(PYTHON) -B Scripts/check-release.py $(DIST)/shcverify $(DIST)/shcverify-fetch $(DIST)/shcverify-scan

# Made by the program itself, and by a script from what the program says about itself.
manual: release
	@rm -rf $(SHARE)
	$(PYTHON) -B Scripts/manual.py $(DIST)/shcverify $(SHARE)/$(MANUAL)
	@mkdir -p $(dir $(addprefix $(SHARE)/,$(COMPLETIONS)))
	@for file in $(COMPLETIONS); do \
		$(DIST)/shcverify --generate-completion-script $${file%%[-/]*} > $(SHARE)/$$file || exit 1; done
	@mkdir -p $(SHARE)/$(SCHEMAS)
	@for name in $$($(DIST)/shcverify schema | cut -d' ' -f1); do \
		$(DIST)/shcverify schema $$name > $(SHARE)/$(SCHEMAS)/$$name.schema.json || exit 1; done
	@Packaging/examples.sh $(SHARE)/$(EXAMPLES)

# Without the right to write, the error comes before the build.
install: ## install a release below PREFIX (/usr/local)
	@Packaging/install.sh check "$(DESTDIR)$(PREFIX)"
	@$(MAKE) --no-print-directory manual
	Packaging/install.sh install "$(DESTDIR)$(PREFIX)" $(DIST) $(SHARE) "$(PREFIX)"

uninstall: ## remove what make install has installed
	@Packaging/install.sh uninstall "$(DESTDIR)$(PREFIX)"

# The documentation of the libraries for Swift programs. `make docs` compares their public declarations with those in API/ first, and `make api`
# writes them there.
docs: setup ## make the documentation of the libraries in .build/docs
	Scripts/docs.sh check
api: setup
	Scripts/docs.sh write

# What the programs are made of, in SPDX.
sbom: release
	SWIFT=$(SWIFT) CLANG=$(CLANG) $(PYTHON) -B Packaging/sbom.py $(DIST) Package.resolved $(DIST)/shcverify.spdx.json

# The packages fit the distribution on which they are built, and later ones that have its libraries.
PACKAGES := .build/packages
deb: setup-deb manual sbom
	$(PYTHON) -B Packaging/deb.py $(DIST) $(SHARE) $(PACKAGES)

# What a release publishes, in a folder of its own: docs/releases.md. KEY is the key that signs it. If it cannot be read, the error comes before
# the build.
RELEASED := .build/release-archive
KEY ?=
release-archive:
	@[ -z "$(KEY)" ] || [ -r "$(KEY)" ] || { echo "make: there is no key $(KEY) that you can read" >&2; exit 1; }
	@[ -z "$(KEY)" ] || command -v ssh-keygen >/dev/null || { echo "make: ssh-keygen is missing (Debian's openssh-client)" >&2; exit 1; }
	@$(MAKE) --no-print-directory deb
	$(PYTHON) -B Packaging/archive.py $(DIST) $(SHARE) $(PACKAGES) $(RELEASED) $(if $(KEY),"$(KEY)")

# Makes an archive of small made-up programs, signs it with a key of its own, and verifies it as docs/releases.md says. It takes seconds.
release-archive-check: setup-deb setup-archive
	SWIFT=$(SWIFT) CLANG=$(CLANG) $(PYTHON) -B Scripts/check-release-archive.py

# IMAGE is the name of the image.
IMAGE ?= shcverify
container: release
	Packaging/container.sh $(DIST) $(IMAGE)

# Tests the packages, an installation and a container. As root, with debootstrap, in fresh chroots (CHROOTS).
CHROOTS ?= bookworm trixie
package-check: setup-test setup-packages deb
	$(PYTHON) -B Scripts/check-packages.py $(DIST) $(PACKAGES) $(CHROOTS)

# BENCH has options for the script, such as BENCH="--quick" or BENCH="--no-stages --write".
bench: release setup-test ## compare the speed of batch with openssl speed (BENCH=--quick for a first impression)
	$(PYTHON) Benchmarks/bench.py --shcverify $(DIST)/shcverify $(BENCH)

# Counts the instructions of a card, which no other program on the machine changes. INSTRUCTIONS=--write accepts the new numbers.
INSTRUCTIONS ?=
instructions: release setup-test setup-instructions
	$(PYTHON) -B Benchmarks/instructions.py --shcverify $(DIST)/shcverify $(INSTRUCTIONS)

# SECONDS is a time, or another word that the script knows.
SECONDS ?= 60
FUZZ ?=
fuzz: setup-test ## fuzz what reads untrusted bytes (SECONDS=60 for each target, FUZZ=json,jws for some, COVERAGE=lines for the lines not run)
	Fuzzing/fuzz.sh $(SECONDS) $(FUZZ)

# The checks that take too long for each change, or need the network. Without STEPS, all of them, and the result is written to .ci/deep.md.
STEPS ?=
deep: ## run the checks that take too long for each change (STEPS="mutants examples" for some)
	.ci/deep $(STEPS)
es256 examples fuzz-pictures kit-report mutants pages-check reproducible:
	.ci/deep $@

FORMATTED := Package.swift Scanner/Package.swift Sources Tests Benchmarks/Stages Fuzzing/Fuzz \
	Fuzzing/ES256/Package.swift Fuzzing/ES256/Tests $(addprefix Examples/,Articles Kiosk Server Tests)
format: ## format the sources
	$(SWIFT) format --in-place --parallel --recursive $(FORMATTED)

lint: setup ## check the format, the style, the imports, and that copies agree
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)
	$(PYTHON) -B Scripts/check-imports.py
	$(PYTHON) -B Scripts/check-house.py
	$(PYTHON) -B Scripts/check-json.py
	$(PYTHON) -B Scripts/check-errors.py
	$(PYTHON) -B Scripts/check-places.py
	$(PYTHON) -B Scripts/check-literals.py
	$(PYTHON) -B Scripts/mutants/mutants.py check
	@$(PYTHON) -B Scripts/shared-tests.py >/dev/null
	$(PYTHON) -B Examples/check-articles.py

vectors: setup-test ## make the test vectors again
	Scripts/vectors.sh
vectors-check: setup-test
	Scripts/vectors.sh --check

# What scripts make from other files. CONTRIBUTING.md says which.
codes guide icvp structure valuesets:
	$(PYTHON) -B Scripts/generate-$@.py

# The kit (TestKit/) is made from the vectors. It says nothing of our options, so that others can use it.
KIT := .build/kit
kit: setup-test
	$(PYTHON) -B Scripts/kit/make.py $(KIT)

ifeq ($(PROGRAMS),)
kit-check: build
endif
kit-check: setup-test
	$(PYTHON) -B Scripts/kit/check.py "$(or $(PROGRAMS),$$($(SWIFT) build --show-bin-path))/shcverify" $(KIT)

clean: ## remove all build products
	rm -rf .build Scanner/.build Fuzzing/ES256/.build Examples/Server/.build

# Debian packages that are installed if they are missing, and if this user may do that. A static build names libcurl when it is linked. A
# dynamic build finds it through Swift's libraries.
LIBRARIES := libssl-dev zlib1g-dev
PACKAGES_scanner = $(SCANNER_LIBRARIES) $(DRAWING_PROGRAMS)
PACKAGES_release := $(LIBRARIES) libcurl4-openssl-dev binutils python3
PACKAGES_deb := dpkg-dev binutils
PACKAGES_archive := $(LIBRARIES) libcurl4-openssl-dev openssh-client git python3
PACKAGES_instructions := valgrind
PACKAGES_test := $(LIBRARIES) curl python3 python3-cryptography python3-cbor2 python3-jsonschema python3-pil python3-numpy \
	python3-qrcode python3-yaml jq fonts-dejavu-core zsh fish mandoc groff-base
PACKAGES_packages := lintian buildah debootstrap
setup:
	@./.ci/setup $(LIBRARIES)
setup-%:
	@./.ci/setup $(PACKAGES_$*)
