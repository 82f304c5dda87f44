package main

// applicable are the scenarios that a server with tools alone has to pass, each with
// those of its checks that are about what such a server does not have.
var applicable = map[string][]string{
	"server-initialize":        nil,
	"server-session-lifecycle": nil, // says that there are no sessions, and no more
	"ping":                     nil,
	"tools-list":               nil,
	"dns-rebinding-protection": nil,
	"http-header-validation":   nil,
	"input-required-result-unsupported-methods": nil,
	"server-sse-multiple-streams": {
		"server-sse-multiple-streams-session", // of a session, before 2026-07-28
	},
	"server-stateless": {
		// They call tools of the suite's own.
		"sep-2575-server-rejects-undeclared-capability",
		"sep-2575-missing-capability-http-400",
		"sep-2575-http-server-no-independent-requests-on-stream",
		"sep-2575-server-no-log-without-loglevel",
		// They want to hear of changed lists.
		"sep-2575-server-sends-subscription-ack",
		"sep-2575-server-tags-subscription-id",
		"sep-2575-server-honors-notification-filter",
		"sep-2575-server-sends-prompts-list-changed-on-subscription",
		"sep-2575-server-sends-tools-list-changed-on-subscription",
	},
	"caching": {
		"sep-2549-prompts-list-caching-hints",
		"sep-2549-resources-list-caching-hints",
		"sep-2549-resources-templates-list-caching-hints",
		"sep-2549-resources-read-caching-hints",
	},
}

// elsewhere are the scenarios that do not apply, by what they need.
var elsewhere = map[string][]string{
	"a tool of the suite's own, which it calls": {
		"tools-call-simple-text",
		"tools-call-image",
		"tools-call-audio",
		"tools-call-embedded-resource",
		"tools-call-mixed-content",
		"tools-call-error",
		"json-schema-2020-12",
	},
	"a tool that reports its progress or logs": {
		"tools-call-with-progress", "tools-call-with-logging", "logging-set-level",
	},
	"a tool that asks the model or the person": {
		"tools-call-sampling",
		"tools-call-elicitation",
		"elicitation-sep1034-defaults",
		"elicitation-sep1330-enums",
		"input-required-result-basic-elicitation",
		"input-required-result-basic-sampling",
		"input-required-result-basic-list-roots",
		"input-required-result-request-state",
		"input-required-result-multiple-input-requests",
		"input-required-result-multi-round",
		"input-required-result-missing-input-response",
		"input-required-result-non-tool-request",
		"input-required-result-result-type",
		"input-required-result-tampered-state",
		"input-required-result-capability-check",
		"input-required-result-ignore-extra-params",
		"input-required-result-validate-input",
	},
	"a tool that has an argument in a header": {"http-custom-header-server-validation"},
	"a stream that can be taken up again":     {"server-sse-polling"},
	"resources": {
		"resources-list", "resources-read-text", "resources-read-binary", "resources-templates-read",
		"resources-subscribe", "resources-unsubscribe", "sep-2164-resource-not-found",
	},
	"prompts": {
		"prompts-list",
		"prompts-get-simple",
		"prompts-get-with-args",
		"prompts-get-embedded-resource",
		"prompts-get-with-image",
	},
	"completion of arguments": {"completion-complete"},
	"the extension for skills": {
		"sep-2640-skills-directory", "sep-2640-skills-enumeration", "sep-2640-skills-manifest",
	},
	"the extension for tasks": {
		"tasks-lifecycle",
		"tasks-capability-negotiation",
		"tasks-wire-fields",
		"tasks-request-state-removal",
		"tasks-mrtr-input",
		"tasks-request-headers",
		"tasks-dispatch-and-envelope",
		"tasks-status-notifications",
		"tasks-required-task-error",
		"tasks-mrtr-composition",
	},
}
