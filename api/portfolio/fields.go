package portfolio

import (
	"context"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
)

// Part is a field of an object that must have a value.
type Part struct{ Name, Value string }

// Missing tells which parts of an object are missing.
func Missing(within string, parts ...Part) (missing []fault.Detail) {
	for _, p := range parts {
		if p.Value == "" {
			missing = append(missing, FieldFault(
				within+"."+p.Name,
				fault.MissingField,
				"is required, as there is none yet.",
			))
		}
	}
	return missing
}

// Find loads a record that a field of a body names: one that cannot exist, does not, or
// belongs to another portfolio is not found, alike.
func Find[T any](
	ctx context.Context,
	in access.Portfolio,
	prefix, given, noun string,
	load func(context.Context, access.Portfolio, string) (T, error),
) (T, error) {
	if !id.Valid(prefix, given) {
		return *new(T), fault.NotFound(noun).At(noun + "_id")
	}
	v, err := load(ctx, in, given)
	if fault.Is(err, fault.NoRecord) {
		err = fault.NotFound(noun).At(noun + "_id")
	}
	return v, err
}

// FieldFault is a field at fault.
func FieldFault(param string, code fault.Code, message string) fault.Detail {
	return fault.Detail{Param: param, Code: code, Message: param + " " + message}
}
