package webtest

// Payloads are 60 texts that would run a script, were one drawn as it is: as an
// element, out of an attribute, out of a text area or a title, as an address, within
// JSON, a style or a template, in other spellings. Each one sets pwned in the page.
var Payloads = []string{
	`<script>pwned=1</script>`,
	`<SCRIPT>pwned=1</SCRIPT>`,
	`<script >pwned=1</script >`,
	`<script/x>pwned=1</script>`,
	`<script src="data:text/javascript,pwned=1"></script>`,
	`<script src=//127.0.0.1:1/x.js onerror=pwned=1></script>`,
	`<scr<script>ipt>pwned=1</scr</script>ipt>`,
	`</script><script>pwned=1</script>`,
	`</title><script>pwned=1</script>`,
	`</textarea><script>pwned=1</script>`,
	`</style><script>pwned=1</script>`,
	`</option></select><img src=x onerror=pwned=1>`,
	`</code></pre><img src=x onerror=pwned=1>`,
	`<img src=x onerror=pwned=1>`,
	`<img src=x onerror="pwned=1">`,
	`<img src=x onerror='pwned=1'>`,
	"<img src=x onerror=`pwned=1`>",
	`<img/src=x/onerror=pwned=1>`,
	"<img\tsrc=x\tonerror=pwned=1>",
	"<img\nsrc=x\nonerror=pwned=1\n>",
	`<img src=x onerror=&#112;wned=1>`,
	`<svg onload=pwned=1>`,
	`<svg/onload=pwned=1>`,
	`<svg><script>pwned=1</script></svg>`,
	`<svg><animate onbegin=pwned=1 attributeName=x dur=1s>`,
	`<svg><a xlink:href="javascript:pwned=1"><text y=20>x</text></a></svg>`,
	`<math><mtext><table><mglyph><style><img src=x onerror=pwned=1>`,
	`<body onload=pwned=1>`,
	`<body onpageshow=pwned=1>`,
	`<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>`,
	`<iframe src="javascript:parent.pwned=1"></iframe>`,
	`<object data="javascript:pwned=1"></object>`,
	`<embed src="javascript:pwned=1">`,
	`<details open ontoggle=pwned=1>`,
	`<input autofocus onfocus=pwned=1>`,
	`<select autofocus onfocus=pwned=1>`,
	`<video><source onerror=pwned=1></video>`,
	`<audio src=x onerror=pwned=1>`,
	`<video src=x onerror=pwned=1>`,
	`<marquee onstart=pwned=1>`,
	`<style onload=pwned=1></style>`,
	`<link rel=stylesheet href=x onerror=pwned=1>`,
	`<meta http-equiv=refresh content="0;url=javascript:pwned=1">`,
	`<base href="javascript:/pwned=1//">`,
	`<form action="javascript:pwned=1"><button autofocus>x</button></form>`,
	`<p style="animation-name:x" onanimationstart=pwned=1>`,
	`" autofocus onfocus=pwned=1 x="`,
	`' autofocus onfocus=pwned=1 x='`,
	`"><img src=x onerror=pwned=1>`,
	`'><img src=x onerror=pwned=1>`,
	`" onpointerover=pwned=1 style="position:fixed;inset:0" x="`,
	`javascript:pwned=1`,
	"java\tscript:pwned=1",
	`data:text/html,<script>opener.pwned=1</script>`,
	`--><img src=x onerror=pwned=1><!--`,
	`]]><img src=x onerror=pwned=1>`,
	`{"a":"</script><img src=x onerror=pwned=1>"}`,
	`{{constructor.constructor("pwned=1")()}}${pwned=1}`,
	"\u003cscript\u003epwned=1\u003c/script\u003e\u2028<img src=x onerror=pwned=1>",
	"<img src=x onerror=pwned=1 \x00>&lt;script&gt;pwned=1&lt;/script&gt;",
}

// Harmless checks that no payload of the page that is open has run, or was kept from
// running by the policy alone.
func (w *Window) Harmless(where string) {
	w.Helper()
	for _, s := range w.Said() {
		w.Errorf("%s: the console says %s", where, s)
	}
	if Value[bool](
		w,
		`"pwned" in window || document.querySelector("iframe, object, embed, base, [onerror], [onload], [onfocus]") !== null`,
	) {
		w.Errorf("%s: something was drawn that runs", where)
	}
}
