# Prints the tests of files that start goroutines or wait for them: all tests of a file in which something else than a
# test does, such as a helper.
FNR == 1 { tell() }
/^func / { test = match($0, /^func Test[A-Za-z0-9_]+/) ? substr($0, 6, RLENGTH - 5) : "" }
/^func Test/ && test != "TestMain" { tests[++n] = test }
/(^|[^A-Za-z0-9_])go (func|[a-z]+[.(])|\.Go\(|sync\.WaitGroup|(^|[^A-Za-z0-9_])atomic\.|<-/ {
	if (test != "") concurrent[test] = 1
	else all = 1
}
END { tell() }

function tell(  i) {
	for (i = 1; i <= n; i++) if (all || tests[i] in concurrent) print tests[i]
	n = all = 0
	test = ""
	delete concurrent
}
