// What html-validate holds the pages to.
export default {
	root: true,
	extends: ["html-validate:recommended"],
	rules: {
		// How HTML is written, which templ decides.
		"doctype-style": "off",
		"no-trailing-whitespace": "off",
		"void-style": "off",
		// A row of a table becomes a card where there is no room. `display` takes the roles of a table away then in
		// some browsers, so they are given back.
		"no-redundant-role": "off",
		"prefer-native-element": ["error", {
			exclude: [
				"table", "rowgroup", "row", "columnheader", "rowheader", "cell",
				"listbox", // of what a search suggests while one types
			],
		}],
		// Several boxes of one name are one list.
		"form-dup-name": ["error", { shared: ["radio", "button", "reset", "submit", "checkbox"] }],
		// A title of a page that a link opens has the address of the home.
		"long-title": "off",
		// Where no script runs, a page loads itself anew while what it shows is under way.
		"meta-refresh": "off",
		// Fields have the names that the API gives them, with dots in them.
		"valid-id": ["error", { relaxed: true }],
		// The search of the frame is sent with Enter, as the list of it says.
		"wcag/h32": "off",
	},
};
