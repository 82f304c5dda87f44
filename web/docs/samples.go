package docs

import (
	"encoding/json"
	"fmt"
	"strings"
)

// sampleKey stands in samples for the reader's key.
const sampleKey = "sk_test_pm_…"

// sampled is a request that a sample makes.
type sampled struct {
	method string
	url    string
	body   json.RawMessage // nil for none
	once   bool            // carries an Idempotency-Key
}

// samples are a request in each language, as Markdown.
func (r *reference) samples(name string) string {
	op := r.operation(name)
	if op == nil {
		return ""
	}
	return r.samplesOf(op)
}

func (r *reference) samplesOf(op *apiEntry) string {
	var p markdown
	q := r.request(op)
	if op.streams() {
		p.code("sh", streamSample(q))
		return strings.TrimSuffix(p.String(), "\n\n")
	}
	for _, l := range inLanguages {
		p.code(l.tag, l.write(q))
	}
	return strings.TrimSuffix(p.String(), "\n\n")
}

// request is that of an operation with its examples.
func (r *reference) request(op *apiEntry) sampled {
	q := sampled{method: op.method, url: r.base + op.path, once: op.writes()}
	for _, p := range op.Parameters {
		if p.In == "path" {
			q.url = strings.ReplaceAll(q.url, "{"+p.Name+"}", fmt.Sprint(p.Example))
		}
	}
	if r.lists(op) {
		q.url += "?limit=2"
	}
	if op.RequestBody != nil {
		q.body = op.RequestBody.Content[jsonType].Example
	}
	return q
}

// inLanguages are the languages of samples.
var inLanguages = []struct {
	tag   string
	write func(sampled) string
}{
	{"sh", curlSample},
	{"js", javaScriptSample},
	{"python", pythonSample},
	{"go", goSample},
	{"ruby", rubySample},
	{"php", phpSample},
}

func curlSample(q sampled) string {
	var b strings.Builder
	b.WriteString("curl -sS --fail-with-body ")
	if q.method != "GET" {
		b.WriteString("-X " + q.method + " ")
	}
	fmt.Fprintf(&b, "\"%s\" \\\n  -H \"Authorization: Bearer %s\"", q.url, sampleKey)
	if q.once {
		b.WriteString(" \\\n  -H \"Idempotency-Key: $(openssl rand -hex 16)\"")
	}
	if q.body != nil {
		fmt.Fprintf(&b, " \\\n  -H \"Content-Type: application/json\" \\\n  -d '%s'", strings.ReplaceAll(pretty(q.body), "'", `'\''`))
	}
	return b.String()
}

// streamSample prints events until it is stopped.
func streamSample(q sampled) string {
	return fmt.Sprintf("curl -sS --no-buffer --fail-with-body \"%s\" \\\n  -H \"Authorization: Bearer %s\"", q.url, sampleKey)
}

func javaScriptSample(q sampled) string {
	var b strings.Builder
	fmt.Fprintf(&b, "const response = await fetch(\"%s\", {\n", q.url)
	if q.method != "GET" {
		fmt.Fprintf(&b, "  method: \"%s\",\n", q.method)
	}
	fmt.Fprintf(&b, "  headers: {\n    \"Authorization\": \"Bearer %s\",\n", sampleKey)
	if q.once {
		b.WriteString("    \"Idempotency-Key\": crypto.randomUUID(),\n")
	}
	if q.body != nil {
		fmt.Fprintf(&b, "    \"Content-Type\": \"application/json\",\n  },\n  body: JSON.stringify(%s),\n});\n", javaScript.of(q.body, "  "))
	} else {
		b.WriteString("  },\n});\n")
	}
	b.WriteString("if (!response.ok) throw new Error(await response.text());\nconsole.log(await response.text());")
	return b.String()
}

func pythonSample(q sampled) string {
	var b strings.Builder
	b.WriteString(pythonImports(q))
	fmt.Fprintf(&b, "request = urllib.request.Request(\n    \"%s\",\n    method=\"%s\",\n    headers={\n        \"Authorization\": \"Bearer %s\",\n", q.url, q.method, sampleKey)
	if q.once {
		b.WriteString("        \"Idempotency-Key\": str(uuid.uuid4()),\n")
	}
	if q.body != nil {
		fmt.Fprintf(&b, "        \"Content-Type\": \"application/json\",\n    },\n    data=json.dumps(%s).encode(),\n)\n", python.of(q.body, "    "))
	} else {
		b.WriteString("    },\n)\n")
	}
	b.WriteString("with urllib.request.urlopen(request) as response:\n    print(response.read().decode())")
	return b.String()
}

func pythonImports(q sampled) string {
	imports := "import urllib.request\n"
	if q.body != nil {
		imports = "import json\n" + imports
	}
	if q.once {
		imports += "import uuid\n"
	}
	return imports + "\n"
}

func goSample(q sampled) string {
	var b strings.Builder
	imports, body := []string{"fmt", "io", "net/http"}, "nil"
	if q.once {
		imports = append([]string{"crypto/rand"}, imports...)
	}
	if q.body != nil {
		imports = append(imports, "strings")
		body = "strings.NewReader(`" + strings.ReplaceAll(pretty(q.body), "\n", "\n\t\t") + "`)"
	}
	fmt.Fprintf(&b, "package main\n\nimport (\n\t\"%s\"\n)\n\nfunc main() {\n", strings.Join(imports, "\"\n\t\""))
	fmt.Fprintf(&b, "\trequest, err := http.NewRequest(\"%s\", \"%s\", %s)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n", q.method, q.url, body)
	fmt.Fprintf(&b, "\trequest.Header.Set(\"Authorization\", \"Bearer %s\")\n", sampleKey)
	if q.once {
		b.WriteString("\trequest.Header.Set(\"Idempotency-Key\", rand.Text())\n")
	}
	if q.body != nil {
		b.WriteString("\trequest.Header.Set(\"Content-Type\", \"application/json\")\n")
	}
	b.WriteString("\tresponse, err := http.DefaultClient.Do(request)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\tdefer response.Body.Close()\n" +
		"\ttext, err := io.ReadAll(response.Body)\n\tif err != nil || response.StatusCode >= 300 {\n\t\tpanic(fmt.Sprint(err, response.Status, string(text)))\n\t}\n\tfmt.Println(string(text))\n}")
	return b.String()
}

func rubySample(q sampled) string {
	var b strings.Builder
	b.WriteString("require \"net/http\"\n")
	if q.body != nil {
		b.WriteString("require \"json\"\n")
	}
	if q.once {
		b.WriteString("require \"securerandom\"\n")
	}
	fmt.Fprintf(&b, "\nuri = URI(\"%s\")\nrequest = Net::HTTP::%s.new(uri)\nrequest[\"Authorization\"] = \"Bearer %s\"\n", q.url, q.method[:1]+strings.ToLower(q.method[1:]), sampleKey)
	if q.once {
		b.WriteString("request[\"Idempotency-Key\"] = SecureRandom.uuid\n")
	}
	if q.body != nil {
		fmt.Fprintf(&b, "request[\"Content-Type\"] = \"application/json\"\nrequest.body = JSON.generate(%s)\n", ruby.of(q.body, ""))
	}
	b.WriteString("response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == \"https\") { |http| http.request(request) }\n" +
		"raise response.body unless response.is_a?(Net::HTTPSuccess)\nputs response.body")
	return b.String()
}

func phpSample(q sampled) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<?php\n$context = stream_context_create([\"http\" => [\n  \"method\" => \"%s\",\n  \"header\" => [\n    \"Authorization: Bearer %s\",\n", q.method, sampleKey)
	if q.once {
		b.WriteString("    \"Idempotency-Key: \" . bin2hex(random_bytes(16)),\n")
	}
	if q.body != nil {
		fmt.Fprintf(&b, "    \"Content-Type: application/json\",\n  ],\n  \"content\" => json_encode(%s),\n", php.of(q.body, "  "))
	} else {
		b.WriteString("  ],\n")
	}
	fmt.Fprintf(&b, "]]);\n$answer = file_get_contents(\"%s\", false, $context);\nif ($answer === false) exit(1);\necho $answer, \"\\n\";", q.url)
	return b.String()
}
