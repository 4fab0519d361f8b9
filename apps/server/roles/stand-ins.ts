import { join } from 'node:path'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { openBook } from '#stand-ins/models/book/book.ts'
import { createModelSockets } from '#stand-ins/models/sockets/index.ts'
import { createModelTwins } from '#stand-ins/models/twins.ts'
import type { Deps } from '#platform/server/feature.ts'

/** The role `sandbox` is the one place of the product that starts stand-ins. Here: the model vendors, under /sandbox/upstream; their book is stored beside the data. */
export function createUpstreamStandIn(config: Deps['config']): {
  handle(request: IncomingMessage, response: ServerResponse): void
  upgrade(request: IncomingMessage, socket: Duplex, early: Buffer): void
} {
  const { SANDBOX_UPSTREAM_KEY: key, SANDBOX_CHUNK_MS: chunkMs } = config as { readonly SANDBOX_UPSTREAM_KEY?: string; readonly SANDBOX_CHUNK_MS?: number }
  const toBook = (name: string) => openBook(join(config.DATA_DIR, `${name}.jsonl`))
  const options = { book: toBook('sandbox-models'), ...(chunkMs === undefined ? {} : { chunkMs }), ...(key ? { keys: [key] } : {}) }
  return { handle: createModelTwins(options, (twin) => toBook(`sandbox-models-${twin}`)), upgrade: createModelSockets(options) }
}
