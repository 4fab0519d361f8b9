import { anthropic } from './anthropic/index.ts'
import { cohere } from './cohere/index.ts'
import { google } from './google/index.ts'
import { openai } from './openai/index.ts'
import type { ModelVendor } from './port.ts'
import { sandboxesOf } from './sandbox/index.ts'

/** All model vendors: the only place outside its folder that names a vendor. Pages find its shown.ts by themselves. */
const realVendors: readonly ModelVendor[] = [openai, anthropic, google, cohere]

export const vendors: readonly ModelVendor[] = [...realVendors, ...sandboxesOf(realVendors)]
