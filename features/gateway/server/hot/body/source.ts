import { createGunzip, createInflate } from 'node:zlib'
import type { Call } from '../call.ts'
import type { Refused } from '../errors.ts'
import { boundIntake } from './intake.ts'
import { takeRoom } from './memory.ts'

/** Who wants a body, and what becomes of it. */
export interface BodyWanted {
  data(chunk: Buffer): void
  /** Nothing more comes, where no length was told. */
  end(): void
  /** The client has left. */
  gone(): void
  refuse(refused: Refused): void
}

/** Where the bytes of a body come from. */
export interface BodySource {
  /** Its bytes, where they are told ahead. */
  readonly expected: number | undefined
  begin(wanted: BodyWanted): void
  /** Nobody wants the rest. */
  stop(): void
}

/** The body as it comes. */
export function plainSource(call: Call): BodySource {
  const { req, head } = call
  return {
    expected: head.contentLength,
    begin(wanted) {
      req.on('data', (chunk) => {
        boundIntake(req, chunk.length)
        wanted.data(chunk)
      })
      if (head.contentLength === undefined) req.on('end', () => wanted.end())
      req.on('close', () => wanted.gone())
    },
    stop: () => undefined,
  }
}

const OPENERS = { 'gzip': createGunzip, 'x-gzip': createGunzip, 'deflate': createInflate } as const
/** What one turn is given of an unpacked body. */
const PIECE_BYTES = 65_536

/**
 * A packed body, unpacked beside the loop a piece at a time: whoever reads counts what comes out, and stops at the bound of the route, so
 * that a kilobyte which would become a gigabyte costs no more than a body that is too large. What waits packed takes room as well.
 */
export function unpackedSource(call: Call): BodySource | Refused {
  const { req, head } = call
  if (!Object.hasOwn(OPENERS, head.encoding)) {
    const message = `A body in \`content-encoding: ${head.encoding.slice(0, 40)}\` cannot be read here. Send it plain, or as gzip or deflate.`
    return { cause: 'bad_encoding', message }
  }
  const opener = OPENERS[head.encoding as keyof typeof OPENERS]({ chunkSize: PIECE_BYTES })
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
        boundIntake(req, chunk.length)
        if (over || opener.destroyed) return
        const refused = takeRoom(call, chunk.length)
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
