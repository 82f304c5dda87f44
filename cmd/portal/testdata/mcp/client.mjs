// The second generation of the official TypeScript client, which negotiates the
// protocol as the test says: legacy, auto, or a version that it insists on.
import { address, bridge, library, self } from './bridge.mjs'

const { Client, StreamableHTTPClientTransport } = library('@modelcontextprotocol/client')

const [, , wanted] = process.argv
const mode = ['legacy', 'auto'].includes(wanted) ? wanted : { pin: wanted }

await bridge(new Client(self, { versionNegotiation: { mode } }), new StreamableHTTPClientTransport(...address))
