import type { GatewayCall } from '../call.ts'
import type { RequestRefusal } from '../errors.ts'
import { readDelimiter, isForm } from '../media/form.ts'
import { SMALL_BODY_BYTES, resolveBodyBounds } from './bounds.ts'
import { gatherBody } from './gather.ts'
import type { GatheredBody } from './gather.ts'
import { createFormReader, createJsonReader } from './slices.ts'
import { openPlainSource, openDecompressedSource } from './source.ts'

const NO_BOUNDARY = Buffer.alloc(0)

/** True if the body may be large: its declared length exceeds the bound, or it has none, or it is compressed. */
export function mayBeLargeBody(call: GatewayCall): boolean {
  const { contentLength, hasBody, encoding } = call.head
  if (encoding !== '') return hasBody
  return contentLength === undefined ? hasBody : contentLength > SMALL_BODY_BYTES
}

/**
 * Collects the request's body. A declared length over the limit is refused before a byte is read; a false or missing length is refused at
 * the limit. The ticker watches `phase: 'body'` for slow bodies.
 */
export function readBody(call: GatewayCall): Promise<GatheredBody> {
  const { req, deps, head } = call
  const bounds = resolveBodyBounds(call.target?.dialect, deps.limits.bodyBytes)
  const tooLarge: RequestRefusal = {
    cause: 'too_large',
    message: `The request body is larger than the ${bounds.bytes} bytes accepted here. Send less, or refer to files by URL.`,
  }
  const expected = head.contentLength
  if (expected !== undefined && !(expected <= bounds.bytes)) return Promise.resolve(tooLarge)
  if (mayBeLargeBody(call)) {
    const source = head.encoding === '' ? openPlainSource(call) : openDecompressedSource(call)
    if ('cause' in source) return Promise.resolve(source)
    const reader = isForm(head.contentType) ? createFormReader(readDelimiter(head.contentType) ?? NO_BOUNDARY) : createJsonReader(bounds)
    return gatherBody(call, source, bounds, reader, tooLarge)
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    let over = false
    const done = (value: Buffer | undefined): void => {
      over = true
      resolve(value)
    }
    req.on('data', (chunk: Buffer) => {
      if (over) return
      bytes += chunk.length
      chunks.push(chunk)
      // The last byte has arrived; the end event would come a turn later.
      if (bytes === expected) done(concatChunks(chunks, bytes))
    })
    // Listeners are expensive; with a declared length the last byte is enough.
    if (expected === undefined || expected === 0)
      req.on('end', () => {
        if (!over) done(concatChunks(chunks, bytes))
      })
    req.on('close', () => {
      if (!over) done(undefined)
    })
  })
}

function concatChunks(chunks: readonly Buffer[], bytes: number): Buffer {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes)
}
