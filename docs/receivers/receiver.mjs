// Takes webhook deliveries with Node.js alone:
//   PORT=8000 WEBHOOK_SECRET=whsec_… node receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const { PORT, WEBHOOK_SECRET } = process.env
if (!WEBHOOK_SECRET) throw new Error('WEBHOOK_SECRET is not set')
const tolerance = 300 // seconds
const limit = 1 << 20 // bytes of a body
const seen = new Set() // in production a table with webhook_id as its key

// genuine verifies X-Service-Signature over the raw body.
function genuine(header, body) {
  const [, t, v1] = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (!t || Math.abs(Math.floor(Date.now() / 1000) - Number(t)) > tolerance) return false
  const want = createHmac('sha256', WEBHOOK_SECRET).update(`${t}.`).update(body).digest()
  return timingSafeEqual(Buffer.from(v1, 'hex'), want)
}

// raw is the body before anything parses it. In Express: express.raw({ type: '*/*' }).
async function raw(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    chunks.push(chunk)
    if ((size += chunk.length) > limit) throw new Error('the body is too large')
  }
  return Buffer.concat(chunks)
}

async function receive(request, response) {
  const body = await raw(request)
  if (!genuine(request.headers['x-service-signature'], body)) {
    response.writeHead(400).end('the signature is wrong\n')
    return
  }
  response.writeHead(200).end() // the answer does not wait for the work
  const id = request.headers['webhook-id'] // the same in every repeat
  if (seen.has(id)) return
  seen.add(id)
  handle(id, body)
}

function handle(id, body) {
  console.error('handled', id, body.length, 'bytes')
}

createServer((request, response) => {
  receive(request, response).catch(() => response.destroy()) // the sender has hung up
}).listen(Number(PORT), '127.0.0.1')
