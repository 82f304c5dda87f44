.PHONY: run watch test ci generate pictures bench figures sizes prove

# run serves the product with a demo landlord at http://127.0.0.1:8080.
run:
	go run ./cmd/portal serve --demo

# watch is run, again after each change of a view or of Go. End it with Ctrl-C; what it
# leaves in the generated files, make generate puts right.
watch:
	go tool templ generate --watch --cmd="go run ./cmd/portal serve --demo"

# test needs Go alone. CONTRIBUTING.md names what more it tests where it is there.
test:
	go test ./...

# ci is what a hosted runner does: it installs what it needs, tests with every service,
# and runs the linters.
ci:
	bash .ci/run

# generate makes the Go of the views anew, and the table of what comments say of fields.
generate:
	go tool templ generate
	go generate ./api/operation

# pictures keeps a picture of every kind of page at 1280 pixels, there in the dark, and at
# 390 pixels in the folder TO, a new one for none. It takes two minutes.
pictures: export PORTAL_TEST_PICTURES = $(abspath $(or $(TO),$(shell mktemp -d -t portal-pictures-XXXX)))
pictures: export PORTAL_TEST_CHROMIUM ?= $(firstword $(shell command -v chromium-headless-shell chromium google-chrome))
pictures:
	go test ./cmd/portal -vet=off -count=1 -run '^TestEveryPageType$$/^pictures$$'
	@echo $(PORTAL_TEST_PICTURES)

# bench runs every benchmark once.
bench:
	go test ./... -run '^$$' -bench . -benchtime 1x -timeout 3h

# figures measures what docs/performance.md says and writes that page anew. It takes some
# 15 minutes of two quiet cores; PORTAL_TEST_DATABASE_URL lets PostgreSQL be measured too.
figures:
	go run ./cmd/figures

# sizes prints the largest packages, files, functions, types and interfaces. It holds
# nothing: a person looks at what has grown.
sizes:
	@go run ./cmd/sizes

# prove runs whole what CI samples: every loop of kills on both databases, the race
# detector over everything, every page in every color with all of its elements, the
# training of the model, and the fuzzers for longer. It takes hours, and wants what
# CONTRIBUTING.md names for nothing to be skipped.
prove:
	PORTAL_PROVE=1 go test -race -count=1 -timeout 6h ./...
	PORTAL_FUZZ_INPUTS=100000 PORTAL_EXAMPLES=100 PORTAL_EXAMPLES_SECONDS=600 bash .ci/run fuzz openapi
