import { endsWithEvent, findLastBoundary } from './sse.ts'

/**
 * Cuts a byte stream into runs of complete events, regardless of chunk boundaries; an unfinished event waits. The usual chunk ends with an
 * event and is returned unchanged.
 */
export interface Splitter {
  /** Complete events, or undefined if there is none yet. */
  feed(data: Buffer): Buffer | undefined
  /** The remaining bytes, which lack their end. */
  rest(): Buffer | undefined
  readonly waiting: number
}

const NEARBY = 3

export function createEventSplitter(): Splitter {
  let parts: Buffer[] = []
  let bytes = 0
  /** The last waiting bytes, to detect an end that a chunk boundary splits. */
  let tail: Buffer = Buffer.alloc(0)
  const keep = (data: Buffer): undefined => {
    parts.push(data)
    bytes += data.length
    tail = data.length >= NEARBY ? data.subarray(data.length - NEARBY) : Buffer.concat([tail, data]).subarray(-NEARBY)
  }
  return {
    get waiting() {
      return bytes
    },
    rest: () => (bytes === 0 ? undefined : Buffer.concat(parts, bytes)),
    feed(data) {
      if (bytes === 0 && endsWithEvent(data)) return data
      let all = data
      if (bytes > 0) {
        const seam = Buffer.concat([tail, data.subarray(0, NEARBY)])
        if (findLastBoundary(data) === 0 && findLastBoundary(seam) === 0) return keep(data)
        parts.push(data)
        all = Buffer.concat(parts, bytes + data.length)
      }
      parts = []
      bytes = 0
      tail = Buffer.alloc(0)
      const end = findLastBoundary(all)
      if (end < all.length) keep(all.subarray(end))
      return end === 0 ? undefined : end === all.length ? all : all.subarray(0, end)
    },
  }
}

const QUOTE = 34,
  BACKSLASH = 92,
  OPEN_OBJECT = 123,
  CLOSE_OBJECT = 125,
  OPEN_ARRAY = 91,
  CLOSE_ARRAY = 93

/** Likewise for a JSON array whose elements arrive one by one (Gemini without alt=sse): an element is an event. */
export function createElementSplitter(onClosed: () => void): Splitter {
  let parts: Buffer[] = []
  let bytes = 0
  let depth = 0
  let inString = false
  let escaped = false
  return {
    get waiting() {
      return bytes
    },
    rest: () => (bytes === 0 ? undefined : Buffer.concat(parts, bytes)),
    feed(data) {
      let end = 0
      for (let i = 0; i < data.length; i++) {
        const c = data[i]!
        if (inString) {
          if (escaped) escaped = false
          else if (c === BACKSLASH) escaped = true
          else if (c === QUOTE) inString = false
        } else if (c === QUOTE) inString = true
        else if (c === OPEN_OBJECT || c === OPEN_ARRAY) depth++
        else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) {
          depth--
          if (depth <= 1) end = i + 1
          if (depth === 0 && c === CLOSE_ARRAY) onClosed()
        }
      }
      if (end === 0) {
        parts.push(data)
        bytes += data.length
        return undefined
      }
      parts.push(data.subarray(0, end))
      const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      parts = end < data.length ? [data.subarray(end)] : []
      bytes = data.length - end
      return all
    },
  }
}

/** Index after the element that begins at or after `from`: up to its closing brace, or to the end. */
export function findElementEnd(data: Buffer, from: number): number {
  let depth = 0
  let inString = false
  for (let i = from; i < data.length; i++) {
    const c = data[i]!
    if (inString) {
      if (c === BACKSLASH) i++
      else if (c === QUOTE) inString = false
    } else if (c === QUOTE) inString = true
    else if (c === OPEN_OBJECT) depth++
    else if (c === CLOSE_OBJECT && --depth === 0) return i + 1
  }
  return data.length
}
