package access_test

import (
	"os"
	"testing"

	"portal/web/webtest"
)

func TestMain(m *testing.M) { os.Exit(webtest.Main(m)) }
