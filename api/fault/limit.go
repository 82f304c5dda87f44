package fault

import "portal/api/texts"

// What is said of a value that breaks a limit, behind the name of its field. REST, tools and pages
// say it in these words alone.
const (
	Required  = "is required."
	Invisible = "must not contain invisible characters"
)

// Wrong is a fault of a field, which its message begins with.
func Wrong(param, what string) Detail {
	return Detail{Param: param, Code: InvalidField, Message: param + " " + what}
}

// Characters says that a text has another length than it may: least and most characters, nil where
// there is no such limit.
func Characters(n int, least, most *int) string { return counted(n, least, most, "characters") }

// Items is Characters for a list.
func Items(n int, least, most *int) string { return counted(n, least, most, "items") }

func counted(n int, least, most *int, what string) string {
	return "must have " + Between("", least, most) + " " + what + ", not " + texts.Number(n) + "."
}

// Between says in which bounds a number lies; word goes before one that has one bound.
func Between(word string, least, most *int) string {
	if word != "" {
		word += " "
	}
	switch {
	case least != nil && most != nil:
		return "between " + texts.Number(*least) + " and " + texts.Number(*most)
	case least != nil:
		return word + "at least " + texts.Number(*least)
	case most != nil:
		return word + "at most " + texts.Number(*most)
	}
	return ""
}
