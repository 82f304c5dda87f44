<?php
// Takes webhook deliveries with PHP alone:
//   WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8000 receiver.php
const TOLERANCE = 300; // seconds

// genuine verifies X-Service-Signature over the raw body.
function genuine(string $secret, string $header, string $body): bool
{
    if (!preg_match('/\At=([0-9]{1,12}),v1=([0-9a-f]{64})\z/', $header, $parts)) {
        return false;
    }
    if (abs(time() - (int) $parts[1]) > TOLERANCE) {
        return false;
    }
    $want = hash_hmac('sha256', $parts[1] . '.' . $body, $secret);
    return hash_equals($want, $parts[2]); // in constant time
}

// first tells the first delivery from its repeats: a file can be made once. In
// production a table with webhook_id as its key.
function first(string $id): bool
{
    return @fopen(sys_get_temp_dir() . '/webhook-' . hash('sha256', $id), 'x') !== false;
}

function handle(string $id, string $body): void
{
    error_log("handled $id " . strlen($body) . ' bytes');
}

$secret = getenv('WEBHOOK_SECRET');
$body = file_get_contents('php://input'); // raw, before anything parses it; Laravel: $request->getContent()
if (!$secret || !genuine($secret, $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '', $body)) {
    http_response_code(400);
    exit;
}
http_response_code(200);
if (function_exists('fastcgi_finish_request')) {
    fastcgi_finish_request(); // the answer does not wait for the work
}
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? ''; // the same in every repeat
if (first($id)) {
    handle($id, $body);
}
