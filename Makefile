# make run     verify a card; installs what is missing and builds first
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
RELEASE := --configuration release --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
	-Xswiftc "-L$(ARCHIVES)" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
CLANG ?= $(dir $(shell command -v $(SWIFT)))clang
STRIP ?= strip
DIST := .build/dist

.PHONY: bench codes sanitize coverage es256 fuzz fuzz-build fuzz-regressions structure help run test build release release-check install uninstall format lint vectors vectors-check clean setup setup-release setup-test

help:
	@echo "make run       verify a card"
	@echo "make test      run all tests"
	@echo "make build     make a debug build"
	@echo "make release   make a release build in $(DIST)"
	@echo "make bench     compare the speed of batch with openssl speed (BENCH=--quick for a first impression)"
	@echo "make fuzz      fuzz all code that reads untrusted bytes (SECONDS=60 for each target, FUZZ=json,jws for some targets)"
	@echo "make test SANITIZE=address, thread or undefined: run the tests with a sanitizer"
	@echo "make sanitize SANITIZE=address or thread: run the part of those tests that CI runs"
	@echo "make coverage  print how many lines of each target the tests run (COVERAGE=lines to list the others)"
	@echo "make es256     compare verdicts on signatures with those of another implementation"
	@echo "make install   install a release in PREFIX (now $(PREFIX))"
	@echo "make format    format the sources"
	@echo "make lint      check the format, the style and the imports"
	@echo "make vectors   make the test vectors again"
	@echo "make codes     make the tables of codes again, from lists in ../shared/data"
	@echo "make structure make the table of FHIR's structure again, from the schema in ../shared/data"
	@echo "make clean     remove all build products"

run: setup
	$(SWIFT) build
	@echo
	"$$($(SWIFT) build --show-bin-path)/shcverify" $(VECTORS)/cards/inputs/file.smart-health-card \
		--trust https://issuer-a.example/cards --jwks $(VECTORS)/keys/issuer-a.jwks.json --offline

# Tests that only compute run in parallel. All others run one at a time, because tests with time limits must not wait
# for others.
PURE := VectorTests|ReportsTests\.|ConformanceTests\.|JSONTests\.|DeflateTests\.|JOSETests\.|CryptographyTests\.|BytesTests\.|CredentialsTests\.|SMARTHealthCardsTests\.
test: setup-test
	$(SWIFT) build --build-tests $(TEST_BUILD)
	$(TEST_ENVIRONMENT) $(SWIFT) test --skip-build $(TEST_BUILD) --filter '$(PURE)'
	@$(TEST_ENVIRONMENT) Scripts/test-one-by-one.sh "$$($(SWIFT) build $(TEST_BUILD) --show-bin-path)" $(IMPURE)

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
IMPURE := --filter 'IssuerNetworkTests|URLSessionTransportTests|Batch|NetworkTests|CacheTests|LintIssuerTests'
else ifeq ($(SANITIZE),undefined)
# The Swift compiler for Linux has no such sanitizer. In Swift, undefined behaviour (overflow, bounds, exclusive access)
# traps in any build. So this checks C only: our own C code, and the parts of OpenSSL's and zlib's headers that are
# compiled with it.
TEST_BUILD += -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined \
	-Xswiftc -Xclang-linker -Xswiftc -fsanitize=undefined
else ifneq ($(SANITIZE),)
$(error SANITIZE is address, thread or undefined)
endif

# The tests that CI runs with a sanitizer: code that reads untrusted bytes in this process with `address`, code with
# threads with `thread`. `make test SANITIZE=address` runs all tests, which takes much longer.
SANITIZED_address := JSONTests\.|DeflateTests\.|FHIRTests\.|JOSETests\.|CryptographyTests\.|BytesTests\.|CredentialsTests\.|SMARTHealthCardsTests\.
SANITIZED_thread := BulkVerifierTests|(Many|Several)Threads|SignatureConfirmationTests|VerificationContextTests|BatchTests/verdictsKeepTheOrder|BatchNetworkTests|FetchProcessTests
sanitize: setup-test
	@[ -n "$(SANITIZED_$(SANITIZE))" ] || { echo "SANITIZE is address or thread"; exit 2; }
	$(SWIFT) build --build-tests $(TEST_BUILD)
	$(TEST_ENVIRONMENT) $(SWIFT) test --skip-build $(TEST_BUILD) --filter '$(SANITIZED_$(SANITIZE))'

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

build: setup
	$(SWIFT) build

# The programs are stripped into a separate folder, because swift build would link a changed program again. The archive
# of libstdc++ is in a folder without the shared library, since the linker would prefer that. If there is no archive,
# the shared library is used.
release: setup-release
	@mkdir -p $(ARCHIVES)
	@ln -sf "$$($(CLANG) -print-file-name=libstdc++.a || echo libstdc++.a)" $(ARCHIVES)/libstdc++.a
	$(SWIFT) build $(RELEASE) --product shcverify
	$(SWIFT) build $(RELEASE) --product shcverify-fetch
	@mkdir -p $(DIST)
	@for program in shcverify shcverify-fetch; do \
		$(STRIP) -o $(DIST)/$$program "$$($(SWIFT) build $(RELEASE) --show-bin-path)/$$program" || exit 1; \
		echo "$(DIST)/$$program: $$(($$(wc -c < $(DIST)/$$program) / 1048576)) MB"; \
	done

# Checks that an installed release verifies and fetches on a system without Swift.
release-check: release setup-test
	$(PYTHON) -B Scripts/check-release.py $(DIST)/shcverify $(DIST)/shcverify-fetch

install: release
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec/shcverify"
	install -m 755 $(DIST)/shcverify "$(DESTDIR)$(PREFIX)/bin/"
	install -m 755 $(DIST)/shcverify-fetch "$(DESTDIR)$(PREFIX)/libexec/shcverify/"

# BENCH has options for the script, such as BENCH="--quick" or BENCH="--no-stages --write".
bench: release setup-test
	$(PYTHON) Benchmarks/bench.py --shcverify $(DIST)/shcverify $(BENCH)

# Runs each target, or only those in FUZZ, for SECONDS seconds. Earlier findings are run first.
SECONDS ?= 60
FUZZ ?=
fuzz: fuzz-build
	SWIFT=$(SWIFT) Fuzzing/fuzz.sh $(SECONDS) $(FUZZ)

# Runs only the seeds and the earlier findings.
fuzz-regressions: fuzz-build
	SWIFT=$(SWIFT) Fuzzing/fuzz.sh 0 $(FUZZ)

# Compares verdicts on signatures with those of swift-crypto, which no other part of the project uses.
es256: setup
	$(SWIFT) test --package-path Fuzzing/ES256

# Both sanitizers are in one option, because the compiler uses only the last such option. `fuzzer` says that libFuzzer
# has the main function.
fuzz-build: setup-test
	$(SWIFT) build -c release --package-path Fuzzing --sanitize fuzzer -Xswiftc -sanitize=fuzzer,address
	@mkdir -p Fuzzing/.build/fuzz && rm -rf Fuzzing/.build/fuzz/seeds
	$(PYTHON) -B Fuzzing/seeds.py $(VECTORS) Fuzzing/.build/fuzz

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/shcverify" "$(DESTDIR)$(PREFIX)/libexec/shcverify/shcverify-fetch"

FORMATTED := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Benchmarks \
	Fuzzing/Package.swift Fuzzing/Fuzz Fuzzing/ES256/Package.swift Fuzzing/ES256/Tests
format:
	$(SWIFT) format --in-place --parallel --recursive $(FORMATTED)

lint:
	$(SWIFT) format lint --strict --parallel --recursive $(FORMATTED)
	$(PYTHON) -B Scripts/check-imports.py

vectors: setup-test
	$(PYTHON) $(VECTORS)/generate.py

codes:
	$(PYTHON) Scripts/generate-codes.py

structure:
	$(PYTHON) Scripts/generate-structure.py

vectors-check: setup-test
	$(PYTHON) $(VECTORS)/generate.py --check

clean:
	rm -rf .build Fuzzing/.build Fuzzing/ES256/.build

setup:
	@./.ci/setup libssl-dev zlib1g-dev

# A static build names libcurl when it is linked. A dynamic build finds it through Swift's libraries.
setup-release:
	@./.ci/setup libssl-dev zlib1g-dev libcurl4-openssl-dev binutils

setup-test:
	@./.ci/setup libssl-dev zlib1g-dev python3 python3-cryptography
