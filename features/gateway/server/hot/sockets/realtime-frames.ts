import { visitObjects, filterMembers, decodeShortText } from '../json/elements.ts'
import { parseRange, scanObject } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'
import type { Raw } from '../usage/usage.ts'
import { MAX_VALUE_BYTES, isLargeFrame } from './intake/weigh-frame.ts'

/** Settings that the relay reads; instructions, tools and what was said may be large, and are not. */
const SETTINGS = [
  'audio',
  'max_output_tokens',
  'max_response_output_tokens',
  'turn_detection',
  'input_audio_transcription',
  'input_audio_format',
  'output_audio_format',
]
const OPEN_OBJECT = 123

/** Settings of an event's session or response, the last of each name; undefined if one is longer than any valid setting. */
export function readFrameSettings(frame: Buffer, name: 'session' | 'response'): Raw | undefined {
  const outer: JsonMember[] = []
  if (scanObject(frame, 0, frame.length, [name], outer) < 0) return {}
  const range = outer.at(-1)
  const found: JsonMember[] = []
  if (range === undefined || frame[range.start] !== OPEN_OBJECT || scanObject(frame, range.start, range.end, SETTINGS, found) < 0) return {}
  const last = new Map(found.map((member) => [member.key, member]))
  const settings: Record<string, unknown> = {}
  for (const [key, member] of last) {
    if (member.end - member.start > MAX_VALUE_BYTES) return undefined
    settings[key] = parseRange(frame, member)
  }
  return settings
}

const PICTURE = Buffer.from('"input_image"')

/**
 * True where an event may hold a picture, of which not all bytes are text. A large event is read and not searched, in the places that the vendor
 * has for one: of a picture elsewhere all bytes count.
 */
export function mayContainPicture(frame: Buffer): boolean {
  if (!isLargeFrame(frame)) return frame.includes(PICTURE)
  let isFound = false
  const lookAtItem = (members: readonly JsonMember[]): void => {
    for (const content of filterMembers(frame, members, 'content'))
      visitObjects(frame, content, ['type'], (part) => {
        isFound ||= part.length === 1 && decodeShortText(frame, part[0]) === 'input_image'
      })
  }
  const found: JsonMember[] = []
  scanObject(frame, 0, frame.length, ['item', 'response'], found)
  for (const item of filterMembers(frame, found, 'item')) visitObjects(frame, item, ['content'], lookAtItem)
  for (const response of filterMembers(frame, found, 'response'))
    visitObjects(frame, response, ['input'], (members) => {
      for (const input of filterMembers(frame, members, 'input')) visitObjects(frame, input, ['content'], lookAtItem)
    })
  return isFound
}
