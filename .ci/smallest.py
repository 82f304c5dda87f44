"""Writes the smallest body of every operation of openapi.json, and of every object within one, as
constants for the clients of openapi-typescript and orval, and tries those of the Python client:
what the service does not ask for, no client may ask for.

    python3 smallest.py typescript   writes client_bodies.ts and orval_bodies.ts
    python3 smallest.py python       decodes them with portal_client
"""

import importlib
import json
import pathlib
import sys

document = json.loads(pathlib.Path("openapi.json").read_text())
schemas = document["components"]["schemas"]
FORMATS = {
    "date": "2026-11-02", "date-time": "2026-11-02T16:20:11Z", "email": "dana@example.com",
    "uri": "https://example.com/hook",
}


def named(schema):
    """The name of the component that a schema refers to, None for another one."""
    return schema["$ref"].rsplit("/", 1)[1] if "$ref" in schema else None


def value(schema):
    """A value of a schema, of an object the smallest one."""
    if "$ref" in schema:
        return value(schemas[named(schema)])
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "oneOf" in schema:
        return value(schema["oneOf"][0])
    kind = schema["type"] if isinstance(schema["type"], str) else schema["type"][0]
    if kind == "object":
        asked = schema.get("required", [])
        if not asked and schema.get("minProperties"):
            asked = list(schema["properties"])[:1]
        return {name: value(schema["properties"][name]) for name in asked}
    if kind == "array":
        return [value(schema["items"])]
    return {"string": FORMATS.get(schema.get("format"), "x"), "boolean": True}.get(kind, schema.get("minimum", 1))


def within(schema, found):
    """Collects the named objects that a schema is made of."""
    name = named(schema)
    if name in found:
        return
    if name:
        schema = schemas[name]
        if schema.get("type") == "object":
            found[name] = value(schema)
    for part in [*schema.get("properties", {}).values(), *schema.get("oneOf", []), *([schema["items"]] if "items" in schema else [])]:
        within(part, found)


operations, objects = {}, {}
for item in document["paths"].values():
    for operation in item.values():
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" in content:  # a body with a file has none
            schema = content["application/json"]["schema"]
            operations[operation["operationId"]] = value(schema)
            within(schema, objects)
assert len(operations) > 10 and len(objects) >= len(operations), (operations, objects)


def typescript():
    bodies = ['import type { components, operations } from "./client";']
    for n, (name, body) in enumerate(operations.items()):
        body_type = f'NonNullable<operations["{name}"]["requestBody"]>["content"]["application/json"]'
        bodies.append(f"export const operation{n}: {body_type} = {json.dumps(body)};")
    for n, (name, body) in enumerate(objects.items()):
        bodies.append(f'export const object{n}: components["schemas"]["{name}"] = {json.dumps(body)};')
    pathlib.Path("client_bodies.ts").write_text("\n".join(bodies) + "\n")
    bodies = ['import type * as orval from "./orval";']
    for n, (name, body) in enumerate(objects.items()):
        bodies.append(f"export const object{n}: orval.{name} = {json.dumps(body)};")
    pathlib.Path("orval_bodies.ts").write_text("\n".join(bodies) + "\n")


def python():
    sys.path.insert(0, ".")
    models = importlib.import_module("portal_client.models")
    for name, body in objects.items():
        sent = getattr(models, name).from_dict(body).to_dict()
        assert set(body) <= set(sent), (name, body, sent)


{"typescript": typescript, "python": python}[sys.argv[1]]()
