import { createGunzip, createInflate } from 'node:zlib'
import type { GatewayCall } from '../call.ts'
import type { RequestRefusal } from '../errors.ts'
import { limitIntake } from './intake.ts'
import { reserveRoom } from './memory.ts'

/** Receiver of a request body. */
export interface BodyReceiver {
  data(chunk: Buffer): void
  /** End of the body, if no length was declared. */
  end(): void
  /** The client disconnected. */
  gone(): void
  refuse(refused: RequestRefusal): void
}

/** Source of a request body's bytes. */
export interface BodySource {
  /** Declared length in bytes, if any. */
  readonly expected: number | undefined
  begin(wanted: BodyReceiver): void
  /** Discards the rest. */
  stop(): void
}

/** An uncompressed body, as received. */
export function openPlainSource(call: GatewayCall): BodySource {
  const { req, head } = call
  return {
    expected: head.contentLength,
    begin(wanted) {
      req.on('data', (chunk) => {
        limitIntake(req, chunk.length)
        wanted.data(chunk)
      })
      if (head.contentLength === undefined) req.on('end', () => wanted.end())
      req.on('close', () => wanted.gone())
    },
    stop: () => undefined,
  }
}

const DECOMPRESSORS = { 'gzip': createGunzip, 'x-gzip': createGunzip, 'deflate': createInflate } as const
/** Bytes of an unpacked body per turn. */
const PIECE_BYTES = 65_536

/**
 * A compressed body, decompressed off the event loop piece by piece. The reader counts the output and stops at the route's limit, so
 * a decompression bomb costs no more than an oversized body. Compressed bytes that wait count as body memory too.
 */
export function openDecompressedSource(call: GatewayCall): BodySource | RequestRefusal {
  const { req, head } = call
  if (!Object.hasOwn(DECOMPRESSORS, head.encoding)) {
    const message = `A body in \`content-encoding: ${head.encoding.slice(0, 40)}\` cannot be read here. Send it plain, or as gzip or deflate.`
    return { cause: 'bad_encoding', message }
  }
  const opener = DECOMPRESSORS[head.encoding as keyof typeof DECOMPRESSORS]({ chunkSize: PIECE_BYTES })
  return {
    expected: undefined,
    begin(wanted) {
      let over = false
      const end = (tell: () => void): void => {
        if (over) return
        over = true
        tell()
      }
      opener.on('data', (chunk: Buffer) => wanted.data(chunk))
      opener.on('end', () => end(() => wanted.end()))
      opener.on('error', () => {
        end(() => wanted.refuse({ cause: 'bad_json', message: `The request body is not what its \`content-encoding: ${head.encoding}\` says, or is cut off.` }))
      })
      req.on('data', (chunk) => {
        limitIntake(req, chunk.length)
        if (over || opener.destroyed) return
        const refused = reserveRoom(call, chunk.length)
        if (refused === undefined) opener.write(chunk)
        else end(() => wanted.refuse(refused))
      })
      let isWhole = false
      req.on('end', () => {
        isWhole = true
        opener.end()
      })
      req.on('close', () => {
        if (!isWhole) end(() => wanted.gone())
      })
    },
    stop: () => opener.destroy(),
  }
}
