"""Takes webhook deliveries with Python's standard library:

PORT=8000 WEBHOOK_SECRET=whsec_… python3 receiver.py
"""

import hashlib
import hmac
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()
TOLERANCE = 300  # seconds
LIMIT = 1 << 20  # bytes of a body
seen, lock = set(), threading.Lock()  # in production a table with webhook_id as its key


def genuine(header, body):
    """Verifies X-Service-Signature over the raw body."""
    parts = re.fullmatch("t=([0-9]{1,12}),v1=([0-9a-f]{64})", header)
    if not parts or abs(int(time.time()) - int(parts[1])) > TOLERANCE:
        return False
    want = hmac.new(SECRET, parts[1].encode() + b"." + body, hashlib.sha256)
    return hmac.compare_digest(want.hexdigest(), parts[2])  # in constant time


class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # seconds without a byte

    def do_POST(self):
        length = int(self.headers.get("Content-Length", 0))
        # raw, before anything parses it; Flask: request.get_data(), Django: request.body
        body = self.rfile.read(length) if 0 <= length <= LIMIT else b""
        right = genuine(self.headers.get("X-Service-Signature", ""), body)
        self.send_response(200 if right else 400)
        self.send_header("Content-Length", "0")
        self.end_headers()  # the answer does not wait for the work
        if right:
            self.once(self.headers.get("webhook-id"), body)  # the same in every repeat

    def once(self, webhook_id, body):
        with lock:
            repeated = webhook_id in seen
            seen.add(webhook_id)
        if not repeated:
            handle(webhook_id, body)


def handle(webhook_id, body):
    sys.stderr.write(f"handled {webhook_id} {len(body)} bytes\n")


if not SECRET:
    sys.exit("WEBHOOK_SECRET is empty")
ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
