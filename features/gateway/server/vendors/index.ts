import { anthropic } from './anthropic/index.ts'
import { cohere } from './cohere/index.ts'
import { google } from './google/index.ts'
import { openai } from './openai/index.ts'
import type { ModelVendor } from './port.ts'
import { sandboxesOf } from './sandbox/index.ts'

/** All model vendors: the only place outside its folder that names a vendor. Pages find its shown.ts by themselves. */
const realVendors: readonly ModelVendor[] = [openai, anthropic, google, cohere]

export const vendors: readonly ModelVendor[] = [...realVendors, ...sandboxesOf(realVendors)]

// The sandbox also runs as a separate server, started by the sandbox role.
export { openBook } from './sandbox/book/book.ts'
export { createSandboxTwins } from './sandbox/twins.ts'
export { createSandboxSockets } from './sandbox/sockets/index.ts'
