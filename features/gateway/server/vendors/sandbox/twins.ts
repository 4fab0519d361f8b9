import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SandboxBook } from './book/book.ts'
import { createSandboxUpstream, type SandboxOptions } from './server.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => void

/** One letter, so that nobody can fill the disk with books. */
const TWIN = /^\/sandbox\/upstream\/(twin-[a-z])(?=\/)/

/**
 * The sandbox under /sandbox/upstream, and as often again as is asked for under /sandbox/upstream/twin-a to twin-z: each twin with
 * a prompt cache and a book of its own, so that several upstreams of a model can be tried on one machine.
 */
export function createSandboxTwins(options: SandboxOptions, bookOf: (twin: string) => SandboxBook): Handler {
  const alone = createSandboxUpstream(options)
  const twins = new Map<string, Handler>()
  return (req, res) => {
    const twin = TWIN.exec(req.url ?? '')?.[1]
    if (twin === undefined) {
      alone(req, res)
      return
    }
    let handler = twins.get(twin)
    if (handler === undefined) twins.set(twin, (handler = createSandboxUpstream({ ...options, twin, book: bookOf(twin) })))
    req.url = req.url!.replace(`/${twin}`, '')
    handler(req, res)
  }
}
