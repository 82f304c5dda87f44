package documenttest

import (
	"portal/api/agreement/document"
	"portal/api/clock"
)

// Certificate tells how the parties of Terms have signed.
func Certificate() *document.Certificate {
	at := clock.At(clock.Day(2026, 11, 24).Std())
	return &document.Certificate{
		Signed: []document.Signed{
			{
				Typed:     "Nguyễn Thị Phương Thảo",
				At:        at + 1_000,
				Consented: at - 500_000,
				Proof:     document.CodeProof("thao@example.com"),
				Address:   "203.0.113.7",
				Browser:   "Mozilla/5.0 (iPhone) 日本語",
			},
			{
				Typed:     "Łukasz Żółć",
				At:        at + 62_000,
				Consented: at - 400_000,
				Proof:     document.CodeProof("lukasz@example.com"),
				Address:   "2001:db8:85a3:8d3:1319:8a2e:370:7348",
				Browser:   "Mozilla/5.0 (X11; Linux x86_64)",
			},
			{
				Typed:     "Ada Márquez",
				At:        at + 3_600_000,
				Consented: at - 300_000,
				Proof:     document.CodeProof("ada@example.com"),
				Address:   "198.51.100.24",
			},
			{
				Typed:     "Dana Whitfield",
				At:        at + 86_400_000,
				Consented: at + 86_400_000,
				Proof:     document.AccountProof("office@harborlane.example"),
				Address:   "192.0.2.1",
				Browser:   "Mozilla/5.0 (Macintosh)",
			},
		},
		SHA256:   "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
		Document: "doc_01KA5R2M7Q8D4E6F9G1H3J5K7M",
		Log: []document.Happening{
			{At: at, What: "The document was made"},
			{
				At:      at + 900,
				What:    "Signed",
				Party:   "Nguyễn Thị Phương Thảo",
				Address: "203.0.113.7",
			},
		},
		Head:   "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
		Verify: "https://portal.example.com/verify",
	}
}

// MustCertify is what an executed document has to say, whatever it is rendered to.
func MustCertify(c *document.Certificate) []string {
	all := []string{
		"Certificate of signatures",
		c.SHA256,
		c.Document,
		c.Head,
		c.Verify,
		"2 entries so far",
		"The document was made",
		"November 24, 2026, 00:00:01 UTC",
		"November 25, 2026, 00:00:00 UTC",
		"Łukasz Żółć signed with this browser: Mozilla/5.0 (X11; Linux x86_64)",
	}
	for _, s := range c.Signed {
		all = append(all, s.Typed, s.Proof, s.Address)
	}
	return all
}
