package account

import "strings"

// What a User-Agent header is searched for, the more telling first: most name others too.
var (
	browsers = [][2]string{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser", "Samsung Internet"},
		{"Firefox", "Firefox"},
		{"FxiOS", "Firefox"},
		{"CriOS", "Chrome"},
		{"Chrome", "Chrome"},
		{"Safari", "Safari"},
		{"curl", "curl"},
	}
	systems = [][2]string{
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Android", "Android"},
		{"CrOS", "ChromeOS"},
		{"Windows", "Windows"},
		{"Macintosh", "macOS"},
		{"Linux", "Linux"},
	}
)

// Browser names the browser and the system of a User-Agent header in words of ours, "" where
// it knows neither: the header is whatever a stranger wants a reader to see.
func Browser(agent string) string {
	browser, system := named(browsers, agent), named(systems, agent)
	if browser != "" && system != "" {
		return browser + " on " + system
	}
	return browser + system
}

func named(names [][2]string, agent string) string {
	for _, n := range names {
		if strings.Contains(agent, n[0]) {
			return n[1]
		}
	}
	return ""
}
