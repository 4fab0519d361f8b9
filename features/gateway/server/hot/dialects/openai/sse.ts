import { parseRange } from '../../json/scan.ts'
import { findEventMember } from '../sse.ts'

/** Shared parts of OpenAI's streams, for all endpoints. */
const DONE = Buffer.from('[DONE]')

export const KEEPALIVE = Buffer.from(': keepalive\n\n')

export function endsWithDone(events: Buffer): boolean {
  let end = events.length
  while (end > 0 && events[end - 1]! <= 32) end--
  return end >= 6 && events[end - 1] === 93 && events[end - 2] === 69 && events[end - 6] === 91 && events.compare(DONE, 0, 6, end - 6, end) === 0
}

/** The event's name, or else the `type` in its JSON; '' if it has neither. */
export function readEventType(event: Buffer): string {
  const line = /^event: ?([^\r\n]+)/.exec(event.toString('latin1', 0, 80))
  if (line) return line[1]!.trim()
  const range = findEventMember(event, 'type')
  const type = range === undefined ? undefined : parseRange(event, range)
  return typeof type === 'string' ? type : ''
}

/** The vendor's mid-stream error: every SDK throws on a truthy `error`. */
export function buildOpenaiCutEvent(message: string): Buffer {
  return Buffer.from(`data: ${JSON.stringify({ error: { message, type: 'server_error', param: null, code: 'upstream_cut' } })}\n\n`)
}
