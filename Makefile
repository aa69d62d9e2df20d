# make         make a debug build; installs what is missing first
# make run     verify a card
# make test    run all tests
# make help    list all targets

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
COMMIT := $(shell git describe --always --dirty --exclude='*' --abbrev=12 2>/dev/null)
RELEASE_BUILD = SHCVERIFY_COMMIT=$(COMMIT) $(FIXED) $(SWIFT) build $(RELEASE)
RELEASE := --configuration release --only-use-versions-from-resolved-file --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
	-Xswiftc "-L$(ARCHIVES)" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
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
export SOURCE_DATE_EPOCH
# The program that reads pictures is always a release build, because a debug build would be too slow. It shares the C++ library
# with the decoders, so that exceptions can pass between them.
SCANNER := Scanner/.build/release/shcverify-scan
SCANNER_LIBRARIES := libzxing-dev libzbar-dev libpng-dev libjpeg-dev libwebp-dev libgif-dev libtiff-dev libheif-dev \
	libqpdf-dev libseccomp-dev
DRAWING_PROGRAMS := poppler-utils librsvg2-bin

.DEFAULT_GOAL := build

.PHONY: contact mutants kit kit-check kit-report api facts examples test-spark test-duckdb docs scanner setup-scanner pages-check setup-pages bench instructions codes sanitize coverage es256 fuzz fuzz-pictures fuzz-build fuzz-regressions fuzz-corpora structure schemas help run test test-alone build release release-check manual sbom deb release-archive release-archive-check release-key container package-check reproducible install uninstall format lint vectors vectors-check clean setup setup-release setup-deb setup-packages setup-test setup-instructions

help:
	@echo "make           make a debug build"
	@echo "make run       verify a card"
	@echo "make test      run all tests"
	@echo "make test-alone  run the tests that read ../shared without that folder, as in a new clone"
	@echo "make release   make a release build in $(DIST)"
	@echo "make bench     compare the speed of batch with openssl speed (BENCH=--quick for a first impression)"
	@echo "make instructions  count the instructions of a card, and compare them with the committed numbers (INSTRUCTIONS=--write)"
	@echo "make fuzz      fuzz all code that reads untrusted bytes (SECONDS=60 for each target, FUZZ=json,jws for some targets, COVERAGE=lines for the lines not run)"
	@echo "make fuzz-corpora  make the corpora of the targets again, from all inputs that were found"
	@echo "make test SANITIZE=address, thread or undefined: run the tests with a sanitizer"
	@echo "make sanitize SANITIZE=address or thread: run the part of those tests that CI runs"
	@echo "make pages-check  look at the pages of --format html in Chromium: contrast, width, requests, messages"
	@echo "make coverage  print how many lines of each target the tests run (COVERAGE=lines to list the others)"
	@echo "make mutants   change the code that decides in many small ways, and see whether the tests notice (MUTANTS=tenth for a tenth of them)"
	@echo "make es256     compare verdicts on signatures with those of another implementation"
	@echo "make examples  build the examples in Examples/, and try them"
	@echo "make test-spark  verify 200,000 cards with Spark, and kill an executor (SPARK=--measure also measures)"
	@echo "make test-duckdb  try docs/tables.md, and the columns of schema --format duckdb, in DuckDB"
	@echo "make docs      make the documentation of the libraries in $(DOCS)"
	@echo "make manual    make the manual and the completions for bash, zsh and fish in $(SHARE)"
	@echo "make sbom      list what the programs of a release are made of, as SPDX, in $(DIST)"
	@echo "make deb       make Debian packages in $(PACKAGES); MAINTAINER='NAME <ADDRESS>' HOMEPAGE=URL say who answers for them"
	@echo "make release-archive  make the files of a release in $(RELEASED), and sign them with KEY=path"
	@echo "make release-archive-check  make, sign and verify an archive of made-up programs"
	@echo "make container make a container image with buildah (IMAGE=$(IMAGE))"
	@echo "make package-check  test the packages, in fresh chroots if this is root (CHROOTS=\"$(CHROOTS)\")"
	@echo "make reproducible   build the packages in another folder, and check that they are the same"
	@echo "make install   install a release in PREFIX (now $(PREFIX))"
	@echo "make uninstall remove what make install has installed"
	@echo "make format    format the sources"
	@echo "make lint      check the format, the style and the imports"
	@echo "make vectors   make the test vectors again"
	@echo "make kit       make the test kit for other verifiers in $(KIT)"
	@echo "make kit-check make it, and compare what it says with our own verdicts (PROGRAMS=$(DIST) for a release)"
	@echo "make kit-report  run the runners of the kit with libraries from PyPI, and write TestKit/RESULTS.md"
	@echo "make codes     make the tables of codes again, from lists in ../shared/data"
	@echo "make facts     make the program's copy of the facts in docs/specification.md"
	@echo "make api       list the public declarations of the libraries in API/"
	@echo "make schemas   complete the JSON Schemas in Schemas/, and make the program's copy of them"
	@echo "make structure make the table of FHIR's structure again, from the schema in ../shared/data"
	@echo "make clean     remove all build products"

run: build
	@echo
	"$$($(SWIFT) build --show-bin-path)/shcverify" $(VECTORS)/cards/inputs/file.smart-health-card \
		--jwks https://issuer-a.example/cards=$(VECTORS)/keys/issuer-a.jwks.json --offline
	@echo
	"$$($(SWIFT) build --show-bin-path)/shcverify" records $(VECTORS)/pictures/photo.jpg \
		--jwks https://issuer-a.example/cards=$(VECTORS)/keys/issuer-a.jwks.json --offline

# Tests that only compute run in parallel. All others run one at a time, because tests with time limits must not wait
# for others.
PURE := VectorTests|HealthCertificateCaseTests|LocalFilesTests\.|ReportsTests\.|ConformanceTests\.|JSONTests\.|DeflateTests\.|JOSETests\.|CryptographyTests\.|BytesTests\.|CBORTests\.|COSETests\.|CredentialsTests\.|InputsTests\.|VerificationTests\.|VerificationTestingTests\.|SMARTHealthCardsTests\.|SMARTHealthLinksTests\.|HealthCertificatesTests\.|BulkTests\.|DirectoriesTests\.
# The tests that need a debug build, since a release does not read the variable that names a library of theirs.
OF_DEBUG_BUILD := CommandLineTests\.LanesTests
# With PROGRAMS, the tests start the programs in that folder, such as those of a release, and not the debug build.
PROGRAMS ?=
test: export SHCVERIFY_PROGRAMS = $(abspath $(PROGRAMS))
test: setup-test scanner
	$(SWIFT) build --build-tests $(TEST_BUILD)
	@install -m 755 $(SCANNER) "$$($(SWIFT) build $(TEST_BUILD) --show-bin-path)/"
	$(TEST_ENVIRONMENT) $(SWIFT) test --skip-build $(TEST_BUILD) --filter '$(PURE)'
	@$(TEST_ENVIRONMENT) Scripts/test-one-by-one.sh "$$($(SWIFT) build $(TEST_BUILD) --show-bin-path)" $(IMPURE)
	$(if $(PROGRAMS),SHCVERIFY_PROGRAMS= $(TEST_ENVIRONMENT) $(SWIFT) test --skip-build $(TEST_BUILD) --filter '$(OF_DEBUG_BUILD)')

# Runs the tests that read ../shared once more, without that folder, which a new clone does not have.
test-alone: export SHCVERIFY_PROGRAMS = $(abspath $(PROGRAMS))
test-alone: setup-test scanner
	$(SWIFT) build --build-tests
	@install -m 755 $(SCANNER) "$$($(SWIFT) build --show-bin-path)/"
	PYTHON=$(PYTHON) Scripts/test-alone.sh "$$($(SWIFT) build --show-bin-path)"

# Selects the tests that run one at a time.
IMPURE := --skip '$(PURE)'
SANITIZE ?=
ifneq ($(SANITIZE),)
# Each sanitizer has a build folder of its own, with the programs that the tests start. So the usual build is not thrown
# away.
TEST_BUILD := --scratch-path .build/$(SANITIZE)
# The search for leaks is off: Swift tags pointers, so it does not find them.
TEST_ENVIRONMENT := SANITIZE=$(SANITIZE) ASAN_OPTIONS=detect_leaks=0 \
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-suppressions.txt"
endif
ifeq ($(SANITIZE),address)
TEST_BUILD += --sanitize address
else ifeq ($(SANITIZE),thread)
TEST_BUILD += --sanitize thread
# Tests of code with threads: keys shared by threads, batch, and all fetching.
PURE := BulkVerifierTests|(Many|Several)Threads|SignatureConfirmationTests|VerificationContextTests
IMPURE := --filter 'IssuerNetworkTests|URLSessionTransportTests|BulkTests|Batch|NetworkTests|CacheTests|LintIssuerTests'
else ifeq ($(SANITIZE),undefined)
# The Swift compiler for Linux has no such sanitizer. In Swift, undefined behaviour (overflow, bounds, exclusive access)
# traps in any build. So this checks C only: our own C code, and the parts of OpenSSL's and zlib's headers that are
# compiled with it.
TEST_BUILD += -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined \
	-Xswiftc -Xclang-linker -Xswiftc -fsanitize=undefined
else ifneq ($(SANITIZE),)
$(error SANITIZE is address, thread or undefined)
endif

# The tests that CI runs with a sanitizer: those of targets with unsafe code that reads untrusted bytes with `address`, code
# with threads with `thread`. Only the targets of these tests are built. `make test SANITIZE=address` runs all tests, which takes
# much longer.
SANITIZED_address := .
TARGETS_address := JSONTests,CBORTests,COSETests,DeflateTests,CryptographyTests,BytesTests
TARGETS_thread := CryptographyTests,SMARTHealthCardsTests,HTTPSFetchTests,BulkTests
SANITIZED_thread := BulkVerifierTests|(Many|Several)Threads|SignatureConfirmationTests|VerificationContextTests|BulkTests|FetchProcessTests
sanitize: setup-test
	@[ -n "$(SANITIZED_$(SANITIZE))" ] || { echo "SANITIZE is address or thread"; exit 2; }
	SHCVERIFY_TEST_TARGETS=$(TARGETS_$(SANITIZE)) $(SWIFT) build --build-tests $(TEST_BUILD)
	SHCVERIFY_TEST_TARGETS=$(TARGETS_$(SANITIZE)) $(TEST_ENVIRONMENT) $(SWIFT) test --skip-build $(TEST_BUILD) \
		--filter '$(SANITIZED_$(SANITIZE))'

# Small changes to the code that decides, each of which a test has to notice (Scripts/mutants/). MUTANTS is `all`, which writes the table of results,
# `tenth` for a tenth that the hash of the commit chooses, or names with commas between them.
MUTANTS ?= all
mutants: setup-test
	SWIFT=$(SWIFT) $(PYTHON) -B Scripts/mutants/mutants.py $(MUTANTS)

# Opens the pages of --format html in Chromium. Without Chromium, `make test` skips this test.
pages-check: setup-test setup-pages
	SHCVERIFY_TEST_TARGETS=CommandLineTests $(SWIFT) build --build-tests
	SHCVERIFY_TEST_TARGETS=CommandLineTests $(SWIFT) test --skip-build --filter 'CommandLineTests.HTMLPageTests'

# Each process writes a file of its own. If several processes share a file, counts of shared code are added twice and
# soon overflow.
PROFILES := $(CURDIR)/.build/coverage/profiles
COVERAGE ?=
coverage: setup-test
	@rm -rf $(PROFILES)
	$(SWIFT) build --build-tests --enable-code-coverage --scratch-path .build/coverage
	LLVM_PROFILE_FILE=$(PROFILES)/%p.profraw $(SWIFT) test --skip-build --scratch-path .build/coverage --filter '$(PURE)'
	@LLVM_PROFILE_FILE=$(PROFILES)/%p.profraw Scripts/test-one-by-one.sh \
		"$$($(SWIFT) build --scratch-path .build/coverage --show-bin-path)" $(IMPURE)
	$(PYTHON) -B Scripts/coverage.py "$(dir $(shell command -v $(SWIFT)))" \
		"$$($(SWIFT) build --scratch-path .build/coverage --show-bin-path)" $(PROFILES) $(COVERAGE)

build: setup scanner
	$(SWIFT) build
	@install -m 755 $(SCANNER) "$$($(SWIFT) build --show-bin-path)/"

# Builds shcverify-scan, which is a package of its own (Scanner/Package.swift).
scanner: setup-scanner
	$(FIXED) $(SWIFT) build --package-path Scanner --configuration release --static-swift-stdlib --disable-local-rpath

# The programs are stripped into a separate folder, because swift build would link a changed program again. The archive
# of libstdc++ is in a folder without the shared library, since the linker would prefer that. If there is no archive,
# the shared library is used. The sections that are removed are hashes of what the compiler read, paths included.
release: contact setup-release scanner
	@mkdir -p $(ARCHIVES)
	@ln -sf "$$($(CLANG) -print-file-name=libstdc++.a || echo libstdc++.a)" $(ARCHIVES)/libstdc++.a
	$(RELEASE_BUILD) --product shcverify
	$(RELEASE_BUILD) --product shcverify-fetch
	@mkdir -p $(DIST)
	@for program in shcverify shcverify-fetch shcverify-scan; do \
		built="$$($(RELEASE_BUILD) --show-bin-path)/$$program"; \
		[ $$program != shcverify-scan ] || built=$(SCANNER); \
		$(STRIP) --remove-section=.swift_modhash --remove-section=.note.gnu.build-id -o $(DIST)/$$program "$$built" || exit 1; \
		echo "$(DIST)/$$program: $$(($$(wc -c < $(DIST)/$$program) / 1048576)) MB"; \
	done

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
	@install -D -m 644 -t $(SHARE)/$(SCHEMAS) Schemas/*.schema.json
	@Packaging/examples.sh $(SHARE)/$(EXAMPLES)

# Without the right to write, the error comes before the build.
install:
	@Packaging/install.sh check "$(DESTDIR)$(PREFIX)"
	@$(MAKE) --no-print-directory manual
	Packaging/install.sh install "$(DESTDIR)$(PREFIX)" $(DIST) $(SHARE) "$(PREFIX)"

uninstall:
	@Packaging/install.sh uninstall "$(DESTDIR)$(PREFIX)"

# The server and the kiosk, which use the libraries as other programs do. The first build takes some minutes.
examples: setup setup-test
	$(PYTHON) -B Examples/check-articles.py
	$(SWIFT) build --package-path Examples --build-tests
	$(SWIFT) test --package-path Examples --skip-build
	Examples/smoke.sh "$$($(SWIFT) build --package-path Examples --show-bin-path)"

# The documentation of the libraries for Swift programs, a folder for each. A warning is an error. It is made from the public
# declarations, which are compared with those in API/ first.
DOCS := .build/docs
DOCUMENTED := Verification SMARTHealthCards HealthCertificates IssuerNetwork VerificationTesting
docs: setup
	@rm -rf $(DOCS)
	$(SWIFT) build
	SWIFT=$(SWIFT) $(PYTHON) -B Scripts/public-api.py --check "$$($(SWIFT) build --show-bin-path)" $(DOCS)/graphs
	@for target in $(DOCUMENTED); do \
		$(DOCC) convert Sources/$$target/$$target.docc --additional-symbol-graph-dir $(DOCS)/graphs/$$target --warnings-as-errors \
			--fallback-display-name $$target --fallback-bundle-identifier shcverify.$$target --output-path $(DOCS)/$$target.doccarchive && \
		echo "$(DOCS)/$$target.doccarchive" || exit 1; \
	done

# Lists the public declarations of the libraries in API/, which `make docs` compares.
api: setup
	$(SWIFT) build
	SWIFT=$(SWIFT) $(PYTHON) -B Scripts/public-api.py "$$($(SWIFT) build --show-bin-path)" .build/docs/graphs

# The job for Spark, which needs Java 17 or later. PySpark is installed from PyPI into a folder of its own.
SPARK ?=
SPARK_PYTHON := .build/spark
test-spark: release setup-test $(SPARK_PYTHON)/installed
	$(SPARK_PYTHON)/bin/python -B Examples/Spark/test_verify_cards.py $(DIST)/shcverify $(SPARK)

$(SPARK_PYTHON)/installed: Examples/Spark/requirements.txt
	@./.ci/setup python3-venv
	@command -v java >/dev/null || ./.ci/setup default-jre-headless
	$(PYTHON) -m venv $(SPARK_PYTHON)
	$(SPARK_PYTHON)/bin/pip install --quiet --requirement $<
	@touch $@

# The page docs/tables.md, and the columns that `schema` prints, in DuckDB. It is installed from PyPI into a folder of its own. Without it,
# `make test` skips these tests, and says so.
DUCKDB := .build/duckdb
test-duckdb: setup-test $(DUCKDB)/installed
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --filter 'TablesTests'

$(DUCKDB)/installed: Tests/TestSupport/duckdb-requirements.txt
	@./.ci/setup python3-venv
	$(PYTHON) -m venv $(DUCKDB)
	$(DUCKDB)/bin/pip install --quiet --requirement $<
	@touch $@

# What the programs are made of, in SPDX.
sbom: release
	SWIFT=$(SWIFT) CLANG=$(CLANG) $(PYTHON) -B Packaging/sbom.py $(DIST) Package.resolved $(DIST)/shcverify.spdx.json

# The packages fit the distribution on which they are built, and later ones that have its libraries.
PACKAGES := .build/packages
deb: setup-deb manual sbom
	$(PYTHON) -B Packaging/deb.py $(DIST) $(SHARE) $(PACKAGES)

# Before a build, which takes minutes.
contact:
	@$(PYTHON) -B Packaging/contact.py

# What a release publishes, in a folder of its own: docs/releases.md. KEY is the key that signs it. If it cannot be read, the error comes before
# the build.
RELEASED := .build/release-archive
KEY ?=
release-archive: release-key
	@$(MAKE) --no-print-directory deb
	$(PYTHON) -B Packaging/archive.py $(DIST) $(SHARE) $(PACKAGES) $(RELEASED) $(if $(KEY),"$(KEY)")

release-key:
	@[ -z "$(KEY)" ] || [ -r "$(KEY)" ] || { echo "make: there is no key $(KEY) that you can read" >&2; exit 1; }
	@[ -z "$(KEY)" ] || command -v ssh-keygen >/dev/null || { echo "make: ssh-keygen is missing (Debian's openssh-client)" >&2; exit 1; }

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

# Builds the packages in another folder, and compares.
reproducible: deb
	$(PYTHON) -B Scripts/reproduce.py $(DIST) $(SHARE) $(PACKAGES)

# BENCH has options for the script, such as BENCH="--quick" or BENCH="--no-stages --write".
bench: release setup-test
	$(PYTHON) Benchmarks/bench.py --shcverify $(DIST)/shcverify $(BENCH)

# Counts the instructions of a card, which no other program on the machine changes. INSTRUCTIONS=--write accepts the new numbers.
INSTRUCTIONS ?=
instructions: release setup-test setup-instructions
	$(PYTHON) -B Benchmarks/instructions.py --shcverify $(DIST)/shcverify $(INSTRUCTIONS)

setup-instructions:
	@./.ci/setup valgrind

# Runs each target, or only those in FUZZ, for SECONDS seconds. Earlier findings are run first.
SECONDS ?= 60
FUZZ ?=
# With the same seed, libFuzzer makes the same inputs. So a run in CI does not fail for what another one has missed.
SEED ?= 0
fuzz: fuzz-build
	SWIFT=$(SWIFT) FUZZ_SEED=$(SEED) Fuzzing/fuzz.sh $(SECONDS) $(FUZZ)
	@$(FUZZ_COVERAGE) $(COVERAGE)

# Which lines the last run of the targets has run. No further build or run is needed for it.
FUZZ_PROGRAM = "$$($(SWIFT) build -c release --package-path Fuzzing --show-bin-path)/Fuzz"
FUZZ_COVERAGE = $(PYTHON) -B Scripts/fuzz-coverage.py "$(dir $(shell command -v $(SWIFT)))" $(FUZZ_PROGRAM) Fuzzing/.build/fuzz/profiles

# Fuzzes the code around the decoders of pictures for SECONDS seconds. The libraries themselves are not instrumented.
PICTURE_FUZZ := Fuzzing/.build/pictures
fuzz-pictures: setup-scanner
	@mkdir -p $(PICTURE_FUZZ)/corpus $(PICTURE_FUZZ)/seeds Fuzzing/Regressions/pictures
	$(CLANG)++ -std=c++17 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
		-ISources/CPictures/include Sources/CPictures/*.cpp Fuzzing/Pictures/fuzz.cpp -o $(PICTURE_FUZZ)/fuzz \
		-lZXing -lzbar -lpng16 -ljpeg -lwebp -lwebpdemux -lgif -ltiff -lheif -lqpdf
	@for file in $(VECTORS)/pictures/*.*; do \
		case $$file in *.py|*.md|*.json) ;; *.pdf) (printf '\001'; cat $$file) > $(PICTURE_FUZZ)/seeds/$$(basename $$file) ;; \
		*) (printf '\000'; cat $$file) > $(PICTURE_FUZZ)/seeds/$$(basename $$file) ;; esac; done
	cd $(PICTURE_FUZZ) && ASAN_OPTIONS=detect_leaks=0 ./fuzz -max_total_time=$(SECONDS) -timeout=120 -rss_limit_mb=3000 -max_len=200000 \
		corpus seeds $(CURDIR)/Fuzzing/Regressions/pictures

# Runs only the corpora, the seeds and the earlier findings.
fuzz-regressions: fuzz-build
	SWIFT=$(SWIFT) Fuzzing/fuzz.sh seeds $(FUZZ)
	@$(FUZZ_COVERAGE) $(COVERAGE)

# Makes the corpora again, from themselves, the seeds and what `make fuzz` has found, and lists which lines they run.
fuzz-corpora: fuzz-build
	$(PYTHON) -B Fuzzing/corpora.py make Fuzzing/.build/fuzz $(FUZZ_PROGRAM) $(FUZZ)
	@rm -rf Fuzzing/.build/fuzz/corpus Fuzzing/.build/fuzz/corpora
	$(PYTHON) -B Fuzzing/corpora.py unpack Fuzzing/.build/fuzz
	SWIFT=$(SWIFT) Fuzzing/fuzz.sh corpora
	@$(FUZZ_COVERAGE) write

# Compares verdicts on signatures with those of swift-crypto, which no other part of the project uses.
es256: setup
	$(SWIFT) test --package-path Fuzzing/ES256

# Both sanitizers are in one option, because the compiler uses only the last such option. `fuzzer` says that libFuzzer
# has the main function.
fuzz-build: setup-test
	$(SWIFT) build -c release --package-path Fuzzing --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address \
		-Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
	@mkdir -p Fuzzing/.build/fuzz && rm -rf Fuzzing/.build/fuzz/seeds
	$(PYTHON) -B Fuzzing/seeds.py $(VECTORS) Fuzzing/.build/fuzz
	$(PYTHON) -B Fuzzing/corpora.py unpack Fuzzing/.build/fuzz

FORMATTED := Package.swift Scanner/Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Benchmarks \
	Fuzzing/Package.swift Fuzzing/Fuzz Fuzzing/ES256/Package.swift Fuzzing/ES256/Tests \
	Examples/Package.swift Examples/Server Examples/Kiosk Examples/Articles Examples/Tests
format:
	$(SWIFT) format --in-place --parallel --recursive $(FORMATTED)

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)
	$(PYTHON) -B Scripts/check-imports.py
	$(PYTHON) -B Scripts/check-places.py
	$(PYTHON) -B Scripts/mutants/mutants.py check
	@$(PYTHON) -B Scripts/shared-tests.py >/dev/null
	$(PYTHON) -B Scripts/generate-schemas.py --check
	$(PYTHON) -B Scripts/generate-facts.py --check

vectors: setup-test
	$(PYTHON) $(VECTORS)/generate.py
	$(PYTHON) -B $(VECTORS)/links/generate.py
	$(PYTHON) -B $(VECTORS)/hcert/generate.py
	$(PYTHON) -B $(VECTORS)/handover/generate.py
	$(PYTHON) -B $(VECTORS)/check-in/generate.py
	$(PYTHON) -B $(VECTORS)/gdhcn/generate.py
	$(PYTHON) -B $(VECTORS)/edges/generate.py

# The kit (TestKit/) is made from the vectors. It says nothing of our options, so that others can use it.
KIT := .build/kit
kit: setup-test
	$(PYTHON) -B Scripts/kit/make.py $(KIT)

ifeq ($(PROGRAMS),)
kit-check: build
endif
kit-check: setup-test
	$(PYTHON) -B Scripts/kit/check.py "$(or $(PROGRAMS),$$($(SWIFT) build --show-bin-path))/shcverify" $(KIT)

# The libraries of others are installed from PyPI into a folder of their own. Nothing else needs them.
KIT_PYTHON := .build/kit-report
kit-report: kit $(KIT_PYTHON)/installed
	$(KIT_PYTHON)/bin/python -B Scripts/kit/report.py $(KIT)

$(KIT_PYTHON)/installed: TestKit/runners/requirements.txt
	@./.ci/setup python3-venv
	$(PYTHON) -m venv $(KIT_PYTHON)
	$(KIT_PYTHON)/bin/pip install --quiet --requirement $<
	@touch $@

codes:
	$(PYTHON) Scripts/generate-codes.py
	$(PYTHON) Scripts/generate-valuesets.py
	$(PYTHON) Scripts/generate-icvp.py
	$(PYTHON) Scripts/generate-guide.py

schemas:
	$(PYTHON) -B Scripts/generate-schemas.py

facts:
	$(PYTHON) -B Scripts/generate-facts.py

structure:
	$(PYTHON) Scripts/generate-structure.py

vectors-check: setup-test
	$(PYTHON) $(VECTORS)/generate.py --check
	$(PYTHON) -B $(VECTORS)/links/generate.py --check
	$(PYTHON) -B $(VECTORS)/hcert/generate.py --check
	$(PYTHON) -B $(VECTORS)/handover/generate.py --check
	$(PYTHON) -B $(VECTORS)/check-in/generate.py --check
	$(PYTHON) -B $(VECTORS)/gdhcn/generate.py --check
	$(PYTHON) -B $(VECTORS)/edges/generate.py --check

clean:
	rm -rf .build Scanner/.build Fuzzing/.build Fuzzing/ES256/.build Examples/.build

setup:
	@./.ci/setup libssl-dev zlib1g-dev

setup-scanner:
	@./.ci/setup $(SCANNER_LIBRARIES) $(DRAWING_PROGRAMS)

# A static build names libcurl when it is linked. A dynamic build finds it through Swift's libraries.
setup-release:
	@./.ci/setup libssl-dev zlib1g-dev libcurl4-openssl-dev binutils python3

setup-deb:
	@./.ci/setup dpkg-dev binutils

setup-archive:
	@./.ci/setup libssl-dev zlib1g-dev libcurl4-openssl-dev openssh-client git python3

setup-test:
	@./.ci/setup libssl-dev zlib1g-dev curl python3 python3-cryptography python3-cbor2 python3-jsonschema python3-pil python3-numpy python3-qrcode python3-yaml fonts-dejavu-core zsh fish mandoc groff-base

setup-packages:
	@./.ci/setup lintian buildah debootstrap

setup-pages:
	@./.ci/setup chromium
