# Tracklog: everything one does with a checkout. `make help` lists it.

PREFIX ?= /usr/local
DESTDIR ?=
# The drive that `make demo` replays; any NMEA or gpsd JSON log, plain or gzipped.
LOG ?= Tests/Fixtures/drive.nmea.gz

BIN := .build/release
RELEASE := swift build -c release --static-swift-stdlib

.PHONY: help deps build release programs deb check test lint format demo bench fuzz torture system-test \
	power-test install uninstall clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

deps: ## install the Debian packages that building and testing need
	@.ci/deps build check

build: ## build everything for debugging
	@.ci/deps build
	swift build

release: ## build both programs as they ship: optimised, Swift runtime inside
	@.ci/deps build
	@$(MAKE) --no-print-directory programs
	$(RELEASE) --product make-drive

programs: # what is installed
	@bin=$$(swift build -c release --show-bin-path) && mkdir -p "$$bin" && \
		ln -sf "$$(clang -print-file-name=libstdc++.a)" "$$bin/libstdc++.a"
	$(RELEASE) --product tracklogd
	$(RELEASE) --product tracklog

deb: ## build a Debian package into .build/deb
	@.ci/deps build deb
	@$(MAKE) --no-print-directory programs
	@systemd/deb $(BIN)

check: ## lint, build, run every test and gate
	@.ci/deps build check
	@.ci/schemas
	@.ci/check

test: ## run the tests only
	@.ci/deps build check
	@.ci/schemas
	SWIFT_BACKTRACE=enable=no swift test --disable-xctest

lint: ## check the format of the code, the manual pages and the units
	swift format lint --strict -r Sources Tests Benchmarks Package.swift
	find Documentation -name '*.[1-8]' -exec mandoc -T lint -W warning {} +
	systemd/verify

format: ## rewrite the code in the project's format
	swift format -i -r Sources Tests Benchmarks Package.swift

demo: release ## replay a drive and look at it; LOG=FILE takes your own
	@Benchmarks/demo.sh '$(LOG)'

bench: release ## measure speed and memory against what one would use instead
	@.ci/deps bench
	$(RELEASE) --product bench-parse
	$(RELEASE) --product bench-store
	$(RELEASE) --product bench-duty
	@Benchmarks/run.sh

fuzz: release ## feed every parser damaged input; SECONDS_EACH=60 a target with a sanitizer, INPUTS=10000000 as shipped
	@Benchmarks/Fuzz/run.sh
	@Benchmarks/Fuzz/shipped.sh $${INPUTS:-10000000} Requests Settings Values Import

torture: release ## kill, cut, fill, damage, break every live source, run thirty days; KILLS=1000 DAYS=30
	@.ci/deps check
	$(RELEASE) --product bench-store
	@Tests/Live/run.py --all
	@Tests/Live/sametrack.py
	@Tests/Torture/killstorm.py --kills $${KILLS:-1000}
	@Tests/Torture/powercut.py --cuts $$((2 * $${KILLS:-1000}))
	@Tests/Torture/errors.py
	@Tests/Torture/damage.py --damages $${KILLS:-1000}
	@Tests/Torture/fulldisk.py --seconds 60
	@Tests/Torture/soak.py --days $${DAYS:-30}

system-test: release ## test the programs as they ship, and the package in a booted Debian (as root)
	@.ci/deps check deb system
	@Tests/Service/run
	TRACKLOG_BIN=$(abspath $(BIN)) SWIFT_BACKTRACE=enable=no \
		swift test --disable-xctest --filter 'SystemTests|LinkTests'

power-test: release ## prove every lever on the gpsd that is installed, for minutes; CYCLES=50
	@.ci/deps check
	TRACKLOG_BIN=$(abspath $(BIN)) TRACKLOG_CYCLES=$${CYCLES:-50} SWIFT_BACKTRACE=enable=no \
		swift test --disable-xctest --filter PowerTests

install: ## install into DESTDIR and PREFIX (needs `make release` before)
	@test -x $(BIN)/tracklogd || { echo 'run "make release" first' >&2; exit 1; }
	@systemd/install '$(BIN)' '$(DESTDIR)' '$(PREFIX)'

uninstall: ## remove what install put there, never a track
	@systemd/install --remove '$(DESTDIR)' '$(PREFIX)'

clean: ## remove what was built
	rm -rf .build demo.db demo.db-wal demo.db-shm
