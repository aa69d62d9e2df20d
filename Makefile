# make run     the first real use: verifies a card, with all set-up
# make test    all tests
# make help    the rest

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
VECTORS := TestVectors
PYTHON ?= /usr/bin/python3
# Swift's own libraries are linked into a release: it runs where no Swift is installed, and starts in less time.
# So are those of C++, which Swift's need: to load them takes a tenth of the time of a run. OpenSSL and zlib stay the
# system's, so that its updates reach us. Libraries that lie beside a
# program are not loaded, and it exports only what it has to.
ARCHIVES := $(CURDIR)/.build/archives
RELEASE := --configuration release --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic \
	-Xswiftc "-L$(ARCHIVES)" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
CLANG ?= $(dir $(shell command -v $(SWIFT)))clang
STRIP ?= strip
DIST := .build/dist

.PHONY: bench codes sanitize coverage es256 fuzz fuzz-build fuzz-regressions structure help run test build release release-check install uninstall format lint vectors vectors-check clean setup setup-release setup-test

help:
	@echo "make run       verify a card: the first real use"
	@echo "make test      all tests"
	@echo "make build     a debug build"
	@echo "make release   a release build, in $(DIST)"
	@echo "make bench     measure batch beside openssl speed (BENCH=--quick for a look)"
	@echo "make fuzz      fuzz all that reads strangers' bytes (SECONDS=60 each, FUZZ=json,jws for some)"
	@echo "make test SANITIZE=address, thread or undefined: the same under a sanitizer"
	@echo "make sanitize SANITIZE=address or thread: the part of it that CI runs"
	@echo "make coverage  the lines of each target that the tests run (COVERAGE=lines for those they do not)"
	@echo "make es256     compare verdicts on signatures with another implementation's"
	@echo "make install   install a release below PREFIX (now $(PREFIX))"
	@echo "make format    format the sources"
	@echo "make lint      check format and style"
	@echo "make vectors   remake the test vectors"
	@echo "make codes     remake the tables of codes, from lists in ../shared/data"
	@echo "make structure remake the tables of FHIR's structure, from the schema in ../shared/data"
	@echo "make clean     remove what was built"

run: setup
	$(SWIFT) build
	@echo
	"$$($(SWIFT) build --show-bin-path)/shcverify" $(VECTORS)/cards/inputs/file.smart-health-card \
		--trust https://issuer-a.example/cards --jwks $(VECTORS)/keys/issuer-a.jwks.json --offline

# What only computes runs on all cores; the rest one at a time, since tests with time limits must not wait for others.
PURE := VectorTests|ConformanceTests\.|JSONTests\.|DeflateTests\.|JOSETests\.|SMARTHealthCardsTests\.
test: setup-test
	$(SWIFT) build --build-tests $(TEST_BUILD)
	$(TEST_ENVIRONMENT) $(SWIFT) test --skip-build $(TEST_BUILD) --filter '$(PURE)'
	@$(TEST_ENVIRONMENT) Scripts/test-one-by-one.sh "$$($(SWIFT) build $(TEST_BUILD) --show-bin-path)" $(IMPURE)

# What the tests that run one at a time are.
IMPURE := --skip '$(PURE)'
SANITIZE ?=
ifneq ($(SANITIZE),)
# Each in a folder of its own, with the programs that the tests start: what was built without is not thrown away.
TEST_BUILD := --scratch-path .build/$(SANITIZE)
# Swift's tags on pointers hide them from the search for leaks, so there is none.
TEST_ENVIRONMENT := SANITIZE=$(SANITIZE) ASAN_OPTIONS=detect_leaks=0 \
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-suppressions.txt"
endif
ifeq ($(SANITIZE),address)
TEST_BUILD += --sanitize address
else ifeq ($(SANITIZE),thread)
TEST_BUILD += --sanitize thread
# What has threads: keys shared by threads, batch, and all that fetches.
PURE := BulkVerifierTests|(Many|Several)Threads|SignatureConfirmationTests|VerificationContextTests
IMPURE := --filter 'IssuerNetworkTests|URLSessionTransportTests|Batch|NetworkTests|CacheTests|LintIssuerTests'
else ifeq ($(SANITIZE),undefined)
# The compiler knows no such sanitizer for Swift on Linux, where undefined behaviour of Swift's (overflow, bounds, exclusive
# access) traps in any build. So this is about C: ours, and what of OpenSSL's and zlib's headers is compiled with it.
TEST_BUILD += -Xcc -fsanitize=undefined -Xcc -fno-sanitize-recover=undefined \
	-Xswiftc -Xclang-linker -Xswiftc -fsanitize=undefined
else ifneq ($(SANITIZE),)
$(error SANITIZE is address, thread or undefined)
endif

# What CI runs under a sanitizer: what reads strangers' bytes in this process for memory, what has threads for threads. `make test
# SANITIZE=address` runs everything, which takes much longer.
SANITIZED_address := JSONTests\.|DeflateTests\.|FHIRTests\.|JOSETests\.|SMARTHealthCardsTests\.
SANITIZED_thread := BulkVerifierTests|(Many|Several)Threads|SignatureConfirmationTests|VerificationContextTests|BatchTests/verdictsKeepTheOrder|BatchNetworkTests|FetchProcessTests
sanitize: setup-test
	@[ -n "$(SANITIZED_$(SANITIZE))" ] || { echo "SANITIZE is address or thread"; exit 2; }
	$(SWIFT) build --build-tests $(TEST_BUILD)
	$(TEST_ENVIRONMENT) $(SWIFT) test --skip-build $(TEST_BUILD) --filter '$(SANITIZED_$(SANITIZE))'

# A file for each process: where several add to one, what modules share is added twice, and overflows before long.
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

# Stripped into a folder of its own, since swift build would link again what it finds changed.
# The archive of libstdc++ stands in a folder without the shared library, or the linker would take the latter; where there is
# none, it does.
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

# Whether what is installed verifies, and fetches, where there is no Swift.
release-check: release setup-test
	$(PYTHON) -B Scripts/check-release.py $(DIST)/shcverify $(DIST)/shcverify-fetch

install: release
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec/shcverify"
	install -m 755 $(DIST)/shcverify "$(DESTDIR)$(PREFIX)/bin/"
	install -m 755 $(DIST)/shcverify-fetch "$(DESTDIR)$(PREFIX)/libexec/shcverify/"

# Options of the script in BENCH, such as BENCH="--quick" or BENCH="--no-stages --write".
bench: release setup-test
	$(PYTHON) Benchmarks/bench.py --shcverify $(DIST)/shcverify $(BENCH)

# Each target in turn for so many seconds, or those that FUZZ names, after what was found before.
SECONDS ?= 60
FUZZ ?=
fuzz: fuzz-build
	SWIFT=$(SWIFT) Fuzzing/fuzz.sh $(SECONDS) $(FUZZ)

# Only the seeds and what was found before.
fuzz-regressions: fuzz-build
	SWIFT=$(SWIFT) Fuzzing/fuzz.sh 0 $(FUZZ)

# Verdicts on signatures beside those of swift-crypto, which nothing else depends on.
es256: setup
	$(SWIFT) test --package-path Fuzzing/ES256

# Both sanitizers in one option: of two options the compiler takes the last. The first says that libFuzzer has main.
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

# libcurl, which a static build names when it is linked; a dynamic one finds it through Swift's libraries.
setup-release:
	@./.ci/setup libssl-dev zlib1g-dev libcurl4-openssl-dev binutils

setup-test:
	@./.ci/setup libssl-dev zlib1g-dev python3 python3-cryptography
