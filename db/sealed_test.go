package db_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"portal/db/dbtest"
)

// plainBytes are the columns of bytes that are not sealed, each with what it holds instead.
var plainBytes = map[string]string{
	"api_keys.hash":                   "a hash",
	"idempotency_keys.fingerprint":    "a hash",
	"user_links.token_hash":           "a hash",
	"invitations.apply_hash":          "a hash",
	"invitations.unsubscribe_hash":    "a hash",
	"sign_ups.token_hash":             "a hash",
	"sign_ups.claim_hash":             "a hash",
	"recovery_codes.code_hash":        "a hash",
	"ceremonies.id_hash":              "a hash",
	"member_invitations.token_hash":   "a hash",
	"sent_forms.name":                 "a hash",
	"tenant_link_tokens.hash":         "a hash",
	"rate_limits.state":               "counts",
	"events.body":                     "what is sent",
	"delivery_attempts.response_body": "what was answered",
	"ticket_photos.content":           "a photo",
	"ticket_photos.thumbnail":         "a photo",
	"condition_photos.content":        "a photo",
	"condition_photos.thumbnail":      "a photo",
	"documents.content":               "a document",
	"lease_amendments.document":       "a document",
	"document_versions.content":       "a document",
	"executed_documents.content":      "a document",
	"lease_attachments.content":       "a document",
	"lease_scans.content":             "a document",
	"seal_keys.certificate":           "public",
	"passkeys.credential_id":          "public",
	"passkeys.credential":             "a public key",
	"sessions.data": "what the pages keep; a key of the documentation in it is sealed, and " +
		"forgotten where it does not open, after a day at most",
	"lease_template_attachments.content": "a document",
	"library_documents.content":          "a document",

	"river_job":          "River's",
	"river_queue":        "River's",
	"river_leader":       "River's",
	"river_client":       "River's",
	"river_client_queue": "River's",
	"river_migration":    "River's",
}

// A column of bytes that is new fails here until it is decided whether it is sealed.
func TestByteColumnsAreSealedOrDeclaredPlain(t *testing.T) {
	t.Parallel()
	d := dbtest.SQLite(t)
	sealed := d.SealedColumns()
	for _, line := range texts(t, d, columnsOfSQLite) {
		name, kind, _ := strings.Cut(line, " ")
		table, _, _ := strings.Cut(name, ".")
		if !strings.HasPrefix(kind, "blob") {
			continue
		}
		_, plain := plainBytes[name]
		_, foreign := plainBytes[table]
		if is := slices.Contains(sealed, name); is == (plain || foreign) {
			t.Errorf("%s: sealed %v, plain %v: it belongs to sealedColumns (db/sealed.go), or else to plainBytes",
				name, is, plain ||
					foreign)
		}
	}
	for _, name := range sealed {
		if !slices.ContainsFunc(
			texts(t, d, columnsOfSQLite),
			func(line string) bool { return strings.HasPrefix(line, name+" blob") },
		) {
			t.Errorf("%s is no column of bytes", name)
		}
	}
}

// sealedAt says for each file that seals something where it is kept, as often as it does.
var sealedAt = map[string][]string{
	"api/account/passkey.go":         {"ceremonies.data"},
	"api/account/session.go":         {"a cookie"},
	"api/account/second.go":          {"a form", "users.totp_secret"},
	"api/developer/exchange.go":      {"request_exchanges.sealed"},
	"api/agreement/sealing/key.go":   {"seal_keys.private_key"},
	"api/agreement/log.go":           {"documents.evidence_key"},
	"api/agreement/render.go":        {"a PDF"},
	"api/idempotency/idempotency.go": {"idempotency_keys.body"},
	"api/mail/mail.go":               {"mails.message"},
	"api/portfolio/upload/upload.go": {"imports.preview"},
	"api/portfolio/upload/take.go":   {"imports.content", "import_mappings.answers"},
	"api/secret/check.go":            {"secret_check.sealed"},
	"api/secret/box.go":              {"what was sealed before"},
	"api/webhook/create.go":          {"webhook_endpoints.secret"},
	"cmd/portal/product.go":          {"webhook_endpoints.secret"},
	"web/docs/key.go":                {"sessions.data"},
	"web/page/form.go":               {"a form"},
	"web/page/once.go":               {"a form that was sent, by its own key", "a form that was sent, by its own key"},
	"web/page/typed.go":              {"sessions.data"},
}

func TestSealedValuesAreStoredInRotatedColumns(t *testing.T) {
	t.Parallel()
	d, found := dbtest.SQLite(t), seals(t)
	for _, file := range slices.Sorted(maps.Keys(found)) {
		if found[file] != len(sealedAt[file]) {
			t.Errorf(
				"%s seals in %d places, %d are known: say in sealedAt where it is kept, and put a column into "+
					"sealedColumns (db/sealed.go)",
				file,
				found[file],
				len(sealedAt[file]),
			)
		}
	}
	for file, columns := range sealedAt {
		if found[file] == 0 {
			t.Errorf("%s seals nothing", file)
		}
		for _, c := range columns {
			if strings.Contains(c, ".") && c != "sessions.data" && !slices.Contains(d.SealedColumns(), c) {
				t.Errorf("%s keeps what it seals in %s, which is not rotated", file, c)
			}
		}
	}
}

// seals counts the calls of a box's Seal and SealStream in each file of the module that is no test.
func seals(t *testing.T) map[string]int {
	t.Helper()
	counts := map[string]int{}
	must(t, filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "testdata") {
			return errorOr(err, fs.SkipDir)
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is {
				return true
			}
			s, is := call.Fun.(*ast.SelectorExpr)
			if is && (s.Sel.Name == "Seal" && len(call.Args) == 2 || s.Sel.Name == "SealStream") {
				counts[filepath.ToSlash(strings.TrimPrefix(file, ".."+string(filepath.Separator)))]++
			}
			return true
		})
		return nil
	}))
	return counts
}

// errorOr is an error, or another one where there is none.
func errorOr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}
