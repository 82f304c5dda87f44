package foreign_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/document/pdf"
	"portal/api/agreement/document/foreign"
)

var _ = bytes.Contains
var _ = exec.Command
var _ = filepath.Join
var _ = os.ReadFile
var _ = strings.Contains
var _ = time.Now
var _ = documenttest.Tool
var _ = pdf.Render
var _ = foreign.NotPDF
