import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileReply } from '#platform/shared/contract.ts'
import { readSingleHeader } from './http-reply.ts'

/** Names of files are ours and ASCII: paper numbers, days. A file made as it is read is cut off, not ended, where making it fails. */
export function sendFile(request: FastifyRequest, reply: FastifyReply, { type, filename, body }: FileReply): FastifyReply {
  reply.header('cache-control', 'no-store').header('content-disposition', `attachment; filename="${filename}"`).type(type)
  if (body instanceof Uint8Array) return reply.send(Buffer.from(body))
  const pieces = Readable.from(body)
  // JSON lines are read as they come: packed, they would come all at once.
  if (type === 'application/x-ndjson' || !/\bgzip\b/.test(readSingleHeader(request, 'accept-encoding') ?? '')) return reply.send(pieces)
  const packed = createGzip({ level: 4 })
  pipeline(pieces, packed, () => {}) // an error of either ends both; the reply sees it in `packed`
  return reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').send(packed)
}
