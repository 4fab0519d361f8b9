import { anthropic } from './anthropic/index.ts'
import { cohere } from './cohere/index.ts'
import { google } from './google/index.ts'
import { openai } from './openai/index.ts'
import type { ModelVendor } from './port.ts'
import { sandboxesOf } from './sandbox/index.ts'

/** Every model vendor: the only place outside its folder where a vendor's name stands. Pages find its shown.ts by themselves. */
const realVendors: readonly ModelVendor[] = [openai, anthropic, google, cohere]

export const vendors: readonly ModelVendor[] = [...realVendors, ...sandboxesOf(realVendors)]

// The sandbox is also a server of its own, started by the sandbox role.
export { openBook } from './sandbox/book/book.ts'
export { createSandboxTwins } from './sandbox/twins.ts'
export { createSandboxSockets } from './sandbox/sockets/index.ts'
