# libs3fast: build, test, install, measure. `make help` lists the targets.
# Everything that is generated lands in build/ or a target/ folder; the sources are never written,
# except include/ by `make headers`.

BUILD    := build
CARGO    ?= cargo
CC       ?= cc
PYTHON   ?= python3
CFLAGS   ?= -O2 -g
PREFIX   ?= /usr/local
DESTDIR  ?=
LIBDIR   ?= $(PREFIX)/lib
VERSION  := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
SOVERSION := 0
HWLOC    ?=

# make bench
N        ?= 3
ROWS     ?= .
BENCH_ARGS ?=

FEATURES := $(if $(HWLOC),--features hwloc)
WARN     := -Wall -Wextra -Wno-unused-parameter
SHIPPED  := target/release/libs3fast.so target/release/libs3fast.a
# What an own static link needs besides libs3fast.a.
SYSLIBS  := -lpthread -ldl -lm -lgcc_s -lc

.DEFAULT_GOAL := build
.PHONY: need build lib headers abi test demo install bench bench-peer bench-peers bench-md5 server fault examples clean help

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 18

build: lib ## the library, shared and static, in build/lib (default)

# `lib` in the crate types would drop LTO from a plain `cargo build`; this line keeps it.
lib:
	$(CARGO) rustc --release --lib --crate-type cdylib,staticlib $(FEATURES)
	@mkdir -p $(BUILD)/lib
	@ln -sf ../../target/release/libs3fast.so $(BUILD)/lib/libs3fast.so
	@ln -sf ../../target/release/libs3fast.so $(BUILD)/lib/libs3fast.so.$(SOVERSION)
	@ln -sf ../../target/release/libs3fast.a $(BUILD)/lib/libs3fast.a

headers: ## generate include/ again from src/ffi
	./c-tests/headers/refresh.sh

abi: ## hold the installed headers and library against the fact tables
	@$(MAKE) --no-print-directory -s lib
	@$(MAKE) --no-print-directory -s install DESTDIR= PREFIX=$(CURDIR)/$(BUILD)/abi
	@./c-tests/abi/run_abi.sh $(BUILD)/abi/include $(BUILD)/abi/lib/libs3fast.so

test: ## every check; the last line counts them
	@$(PYTHON) c-tests/run.py

demo: need server examples ## files to a real S3 server and back, digests compared
	@$(PYTHON) c-tests/demo/demo.py --build $(BUILD)

# What apt has to bring, named at once and in one line.
need:
	@missing=; \
	command -v $(CARGO) >/dev/null || missing="$$missing cargo (https://rustup.rs)"; \
	command -v $(firstword $(CC)) >/dev/null || missing="$$missing $(firstword $(CC)) (apt-get install gcc libc6-dev)"; \
	command -v $(PYTHON) >/dev/null || missing="$$missing $(PYTHON) (apt-get install python3)"; \
	if [ -z "$$missing" ]; then \
	    echo '#include <stdio.h>' | $(CC) -E -x c - >/dev/null 2>&1 || missing=" stdio.h (apt-get install libc6-dev)"; \
	fi; \
	if [ -n "$$missing" ]; then echo "make: missing:$$missing" >&2; exit 1; fi

server: ## the S3 server of the tests
	@$(CARGO) build --release --quiet --locked --manifest-path c-tests/server/Cargo.toml

fault: ## the fault layer of the tests
	@$(CARGO) build --release --quiet --locked --manifest-path c-tests/fault/Cargo.toml

examples: lib ## the example programs, in build/
	$(CC) $(CFLAGS) $(WARN) -std=gnu11 -Iinclude -o $(BUILD)/s3fast-cp c-tests/examples/s3fast-cp.c \
	    -L$(BUILD)/lib -ls3fast -Wl,-rpath,$(CURDIR)/$(BUILD)/lib -lpthread

install: lib ## headers, library, CMake package and pkg-config file under DESTDIR/PREFIX
	./c-tests/install.sh "$(DESTDIR)" "$(PREFIX)" "$(LIBDIR)" "$(VERSION)" "$(SOVERSION)"

$(BUILD)/fastserver: c-tests/bench/fastserver.c
	@mkdir -p $(BUILD)
	$(CC) -O2 -o $@ $< -lssl -lcrypto -lpthread

$(BUILD)/limits: c-tests/bench/limits.c
	@mkdir -p $(BUILD)
	$(CC) -O2 -w -DHAVE_SSL -o $@ $< -lpthread -lssl -lcrypto

bench-peer: $(BUILD)/s3bench-peer ## s3bench linked with the reference (a published crate)
PEERLIBS := -laws-c-s3 -laws-c-auth -laws-c-http -laws-c-sdkutils -laws-c-compression -laws-c-io \
            -laws-c-cal -laws-checksums -laws-c-common -ls2n -lcrypto
$(BUILD)/s3bench-peer: c-tests/bench/s3bench.c c-tests/bench/peer/Cargo.toml c-tests/bench/peer/prefix.sh
	@mkdir -p $(BUILD)/peer
	P=$$(c-tests/bench/peer/prefix.sh $(BUILD)/peer/target) && \
	$(CC) -O2 -w -o $@ $< -I$$P/include -L$$P/lib $(PEERLIBS) -lpthread -ldl -lm

.PHONY: $(BUILD)/s3bench-ours
$(BUILD)/s3bench-ours: lib
	$(CC) -O2 -o $@ c-tests/bench/s3bench.c -Iinclude -L$(BUILD)/lib -ls3fast -Wl,-rpath,$(CURDIR)/$(BUILD)/lib

# The last line and the exit code are speed.py's.
bench: $(BUILD)/fastserver $(BUILD)/limits $(BUILD)/s3bench-peer $(BUILD)/s3bench-ours ## ours against the reference; ROWS=regex N=repeats
	@BENCH_DIR=$(BUILD) $(PYTHON) c-tests/bench/speed.py --peer $(BUILD)/s3bench-peer --ours $(BUILD)/s3bench-ours \
	    --server $(BUILD)/fastserver --limits $(BUILD)/limits --rows '$(value ROWS)' -n $(N) $(BENCH_ARGS)

# The last line and the exit code are the program's. The kernels come from the crate itself, so
# this needs neither the built library nor its headers.
bench-md5: ## MD5 lanes against OpenSSL and published crates; MD5_ARGS="--rounds N"
	@CARGO_TARGET_DIR=$(BUILD)/md5-bench $(CARGO) build --release --quiet --locked --manifest-path c-tests/bench/md5/Cargo.toml
	@$(BUILD)/md5-bench/release/s3fast-md5-bench $(MD5_ARGS)

bench-peers: ## the primitives and the object_store program, in build/peers/release
	CARGO_TARGET_DIR=$(BUILD)/peers $(CARGO) build --release --locked --manifest-path c-tests/bench/peers/Cargo.toml
	$(BUILD)/peers/release/hash

clean: ## remove build/ and target/
	rm -rf $(BUILD) target
