/** A message between a parser and the process that started it: facts as JSON, and bytes that are neither encoded nor copied twice. */
export interface ParserFrame {
  readonly head: unknown
  readonly parts: readonly Buffer[]
}

const PREFIX_BYTES = 8
/** JSON of a frame is parsed on the event loop of the receiver: half a megabyte takes some 3 ms. */
export const MAX_HEAD_BYTES = 512 * 1024

interface FrameHeader {
  readonly lengths: readonly number[]
  readonly head: unknown
}

/** Bytes of a frame: length of the JSON, length of all parts, the JSON, the parts. */
export function encodeFrame({ head, parts }: ParserFrame): Buffer[] {
  const json = Buffer.from(JSON.stringify({ lengths: parts.map(({ length }) => length), head } satisfies FrameHeader))
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(json.length, 0)
  prefix.writeUInt32BE(
    parts.reduce((sum, { length }) => sum + length, 0),
    4,
  )
  return [prefix, json, ...parts]
}

/**
 * Collects the chunks of a pipe into frames. Throws as soon as a frame declares more than `maxBytes`, before its bytes are kept: the
 * sender may be a process that a hostile file has taken over.
 */
export function createFrameReader(maxBytes: number, onFrame: (frame: ParserFrame) => void): (chunk: Buffer) => void {
  let prefix = Buffer.alloc(0)
  let frame: Buffer | undefined
  let filled = 0
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      if (!frame) {
        const wanted = PREFIX_BYTES - prefix.length
        prefix = Buffer.concat([prefix, chunk.subarray(at, at + wanted)])
        at += wanted
        if (prefix.length < PREFIX_BYTES) return
        const [head, parts] = [prefix.readUInt32BE(0), prefix.readUInt32BE(4)]
        if (head > MAX_HEAD_BYTES || head + parts > maxBytes) throw new Error(`a frame of ${head} and ${parts} bytes`)
        // Filled chunk by chunk: joining 40 MB at their end would hold the loop.
        frame = Buffer.allocUnsafe(PREFIX_BYTES + head + parts)
        filled = prefix.copy(frame)
        prefix = Buffer.alloc(0)
      }
      const taken = chunk.copy(frame, filled, at)
      at += taken
      filled += taken
      if (filled < frame.length) return
      const whole = frame
      frame = undefined
      onFrame(decodeFrame(whole))
    }
  }
}

function decodeFrame(bytes: Buffer): ParserFrame {
  const end = PREFIX_BYTES + bytes.readUInt32BE(0)
  const { lengths, head } = JSON.parse(bytes.toString('utf8', PREFIX_BYTES, end)) as FrameHeader
  const parts: Buffer[] = []
  let at = end
  for (const length of lengths) {
    if (!Number.isSafeInteger(length) || length < 0 || at + length > bytes.length) throw new Error('a frame whose parts exceed it')
    parts.push(bytes.subarray(at, at + length))
    at += length
  }
  return { head, parts }
}
