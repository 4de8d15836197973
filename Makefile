# Everything here is a shorthand; the commands work alone.
GOFLAGS_BUILD = -trimpath -tags urfave_cli_no_docs
PREFIX ?= $(HOME)/.local

.PHONY: build test race lint bench fuzz install demo clean

build:
	go build $(GOFLAGS_BUILD) -o bin/ ./cmd/...

test:
	go test ./...

race:
	go test -race ./...

lint:
	@fmt=$$(gofmt -l $$(git ls-files '*.go')); test -z "$$fmt" || { echo "gofmt wants: $$fmt"; exit 1; }
	go vet ./...
	go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

bench:
	go test -run '^$$' -bench . -benchmem ./...

fuzz:
	./.ci/fuzz 30s

install: build
	install -d $(PREFIX)/bin
	install -m 0755 bin/kmemd bin/kmemctl $(PREFIX)/bin/

demo:
	go run ./cmd/kmemd ingest --show --or testdata/transcripts/home

clean:
	rm -rf bin
