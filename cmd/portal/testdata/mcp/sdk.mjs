// The first generation of the official TypeScript client, which knows no protocol
// later than 2025-11-25.
import { address, bridge, library, self } from './bridge.mjs'

const { Client } = library('@modelcontextprotocol/sdk/client/index.js')
const { StreamableHTTPClientTransport } = library('@modelcontextprotocol/sdk/client/streamableHttp.js')

await bridge(new Client(self), new StreamableHTTPClientTransport(...address))
