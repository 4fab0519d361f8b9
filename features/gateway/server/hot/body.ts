import type { Call } from './call.ts'
import type { Refused } from './errors.ts'

/**
 * Collects the request's body. A length that is too large is refused before a byte is read; one that lies or has no
 * length is refused at the limit. The ticker watches `phase: 'body'` for bodies that trickle.
 */
export function readBody(call: Call): Promise<Buffer | Refused | undefined> {
  const { req, deps, head } = call
  const limit = deps.limits.bodyBytes
  const tooLarge: Refused = {
    cause: 'too_large',
    message: `The request body is larger than the ${limit} bytes accepted here. Send less, or refer to files by URL.`,
  }
  const expected = head.contentLength
  if (expected !== undefined && !(expected <= limit)) return Promise.resolve(tooLarge)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let over = false
    const done = (value: Buffer | Refused | undefined): void => {
      over = true
      resolve(value)
    }
    req.on('data', (chunk: Buffer) => {
      if (over) return
      bytes += chunk.length
      if (bytes > limit) {
        chunks.length = 0
        done(tooLarge)
        return
      }
      chunks.push(chunk)
      // The last byte is here; the end event would come a turn later.
      if (bytes === expected) done(joined(chunks, bytes))
    })
    // A listener costs; with a length the last byte is enough.
    if (expected === undefined || expected === 0)
      req.on('end', () => {
        if (!over) done(joined(chunks, bytes))
      })
    req.on('close', () => {
      if (!over) done(undefined)
    })
  })
}

function joined(chunks: readonly Buffer[], bytes: number): Buffer {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)
}
