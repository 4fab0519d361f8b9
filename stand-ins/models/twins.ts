import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ModelBook } from './book/book.ts'
import { createModelStandIn, type ModelStandInOptions } from './server.ts'

type Handler = (req: IncomingMessage, res: ServerResponse) => void

/** One letter, so that requests cannot fill the disk with books. */
const TWIN = /^\/sandbox\/upstream\/(twin-[a-z])(?=\/)/

/**
 * The sandbox under /sandbox/upstream, and as often again as is asked for under /sandbox/upstream/twin-a to twin-z: each twin with
 * a prompt cache and a book of its own, so that several upstreams of a model can be tried on one machine.
 */
export function createModelTwins(options: ModelStandInOptions, bookOf: (twin: string) => ModelBook): Handler {
  const alone = createModelStandIn(options)
  const twins = new Map<string, Handler>()
  return (req, res) => {
    const twin = TWIN.exec(req.url ?? '')?.[1]
    if (twin === undefined) {
      alone(req, res)
      return
    }
    let handler = twins.get(twin)
    if (handler === undefined) twins.set(twin, (handler = createModelStandIn({ ...options, twin, book: bookOf(twin) })))
    req.url = req.url!.replace(`/${twin}`, '')
    handler(req, res)
  }
}
