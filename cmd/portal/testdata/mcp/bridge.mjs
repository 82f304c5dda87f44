// What the scripts of both generations share. A test writes calls of the client's
// methods, one a line, ["callTool", {"name": …}]; each is answered with a line,
// {"result": …} or {"error": {"code": …, "message": …}}. The first line says who was
// met. It ends when its input does, so that it never outlives a test.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const { NODE_MODULES, MCP_URL, MCP_KEY } = process.env

export const library = createRequire(join(NODE_MODULES, 'bridge.cjs'))
export const self = { name: 'portal-test', version: '1.0.0' }
export const address = [new URL(MCP_URL), { requestInit: { headers: { Authorization: `Bearer ${MCP_KEY}` } } }]

const say = (line) => process.stdout.write(JSON.stringify(line) + '\n')

export async function bridge(client, transport) {
  client.onerror = (e) => console.error(e) // the test wants to hear nothing
  await client.connect(transport)
  say({
    version: transport.protocolVersion,
    server: client.getServerVersion(),
    capabilities: client.getServerCapabilities(),
  })
  for await (const line of createInterface({ input: process.stdin })) {
    const [method, ...args] = JSON.parse(line)
    try {
      say({ result: await client[method](...args) })
    } catch ({ code, message }) {
      say({ error: { code, message } })
    }
  }
  await client.close()
}
