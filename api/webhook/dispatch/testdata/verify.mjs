// A receiver that verifies every delivery with the official libraries, in both
// schemes, and answers 200 when both take it, else 400 with what each said:
//
//   NODE_MODULES=… node verify.mjs SECRET
//
// The port is the first line that it prints. Who asks for /stripe or /standard wants
// that scheme alone. It ends when its input does, so that it never outlives a test.
import { createRequire } from 'node:module'
import { createServer } from 'node:http'
import { join } from 'node:path'

const require = createRequire(join(process.env.NODE_MODULES, 'verify.cjs'))
const Stripe = require('stripe')
const { Webhook } = require('standardwebhooks')

const secret = process.argv[2]
const schemes = {
  stripe: (body, headers) => Stripe.webhooks.constructEvent(body, headers['x-service-signature'], secret, 300),
  standard: (body, headers) => new Webhook(secret).verify(body, headers),
}

async function receive(request, response) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const wrong = Object.entries(schemes)
    .filter(([name]) => request.url === '/' || request.url === '/' + name)
    .flatMap(([name, verify]) => {
      try {
        verify(body, request.headers)
        return []
      } catch (e) {
        return [`${name}: ${e.message}`]
      }
    })
  response.writeHead(wrong.length ? 400 : 200).end(wrong.join('\n'))
}

const server = createServer((request, response) => {
  receive(request, response).catch((e) => response.destroy(e))
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.stdin.resume().on('end', () => process.exit())
