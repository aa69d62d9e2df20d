# make run     the first real use: verifies a card, with all set-up
# make test    all tests
# make help    the rest

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
VECTORS := TestVectors
PYTHON ?= /usr/bin/python3
RELEASE := --configuration release

.PHONY: codes structure help run test build release install uninstall format lint vectors vectors-check clean setup setup-test

help:
	@echo "make run       verify a card: the first real use"
	@echo "make test      all tests"
	@echo "make build     a debug build"
	@echo "make release   a release build"
	@echo "make install   install a release below PREFIX (now $(PREFIX))"
	@echo "make format    format the sources"
	@echo "make lint      check format and style"
	@echo "make vectors   make the test vectors anew"
	@echo "make codes     make the tables of codes anew, from lists in ../shared/data"
	@echo "make structure make the tables of FHIR's structure anew, from the schema in ../shared/data"
	@echo "make clean     remove what was built"

run: setup
	$(SWIFT) build
	@echo
	"$$($(SWIFT) build --show-bin-path)/shcverify" $(VECTORS)/cards/inputs/file.smart-health-card \
		--trust https://issuer-a.example/cards --jwks $(VECTORS)/keys/issuer-a.jwks.json --offline

# One at a time, since tests with time limits of their own must not wait for others; the vectors are alone and many.
test: setup-test
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --filter VectorTests
	$(SWIFT) test --skip-build --no-parallel --skip VectorTests

build: setup
	$(SWIFT) build

release: setup
	$(SWIFT) build $(RELEASE)

install: release
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DESTDIR)$(PREFIX)/libexec/shcverify"
	install -m 755 "$$($(SWIFT) build $(RELEASE) --show-bin-path)/shcverify" "$(DESTDIR)$(PREFIX)/bin/"
	install -m 755 "$$($(SWIFT) build $(RELEASE) --show-bin-path)/shcverify-fetch" "$(DESTDIR)$(PREFIX)/libexec/shcverify/"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/shcverify" "$(DESTDIR)$(PREFIX)/libexec/shcverify/shcverify-fetch"

format:
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests

vectors: setup-test
	$(PYTHON) $(VECTORS)/generate.py

codes:
	$(PYTHON) Scripts/generate-codes.py

structure:
	$(PYTHON) Scripts/generate-structure.py

vectors-check: setup-test
	$(PYTHON) $(VECTORS)/generate.py --check

clean:
	rm -rf .build

setup:
	@./.ci/setup libssl-dev zlib1g-dev

setup-test:
	@./.ci/setup libssl-dev zlib1g-dev python3 python3-cryptography
