"""Generates a lease in the demo portfolio and attaches a PDF to it. Prints the ids of both."""

import json
import os
import urllib.request
import uuid

BASE = os.environ["PORTAL_URL"] + "/api/v1/external"
HEADERS = {"Authorization": "Bearer " + os.environ["PORTAL_TEST_KEY"]}


def ask(path, body=None, kind="application/json"):
    headers = HEADERS if body is None else HEADERS | {"Content-Type": kind}
    with urllib.request.urlopen(urllib.request.Request(BASE + path, data=body, headers=headers)) as answer:
        return json.load(answer)


def pdf():
    """A PDF of one empty page."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<<>>>>",
    ]
    text, places = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(text))
        text += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return text + b"xref\n0 4\n0000000000 65535 f \n%strailer\n<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (
        table, len(text))


def generated():
    """The id of a draft that is generated."""
    lease = ask("/leases?limit=1&status=active")["data"][0]
    tenant = ask("/tenants?limit=1&status=past")["data"][0]
    return ask("/leases/generate", json.dumps({
        "property_id": lease["property_id"], "unit_id": lease["unit_id"], "tenant_id": tenant["id"],
        "start_date": "2031-01-01", "monthly_rent": 1200, "send": False,
    }).encode())["id"]


def attached(draft):
    """The id of an attachment of a draft, to which one is added where it has none."""
    for attachment in ask("/leases/" + draft)["attachments"]:
        return attachment["id"]
    edge = uuid.uuid4().hex
    body = b"\r\n".join([
        b"--" + edge.encode(), b'Content-Disposition: form-data; name="file"; filename="rules.pdf"', b"", pdf(),
        b"--" + edge.encode() + b"--", b"",
    ])
    return ask(f"/leases/{draft}/attachments", body, "multipart/form-data; boundary=" + edge)["id"]


if __name__ == "__main__":
    lease = generated()
    print(lease, attached(lease))
