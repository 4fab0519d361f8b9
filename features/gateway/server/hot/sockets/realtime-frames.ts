import { eachObject, valuesOf, wordAt } from '../json/elements.ts'
import { parseRange, scanObject } from '../json/scan.ts'
import type { Member } from '../json/scan.ts'
import type { Raw } from '../usage/usage.ts'
import { VALUE_BYTES, isLargeFrame } from './intake/weigh-frame.ts'

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
export function settingsIn(frame: Buffer, name: 'session' | 'response'): Raw | undefined {
  const outer: Member[] = []
  if (scanObject(frame, 0, frame.length, [name], outer) < 0) return {}
  const range = outer.at(-1)
  const found: Member[] = []
  if (range === undefined || frame[range.start] !== OPEN_OBJECT || scanObject(frame, range.start, range.end, SETTINGS, found) < 0) return {}
  const last = new Map(found.map((member) => [member.key, member]))
  const settings: Record<string, unknown> = {}
  for (const [key, member] of last) {
    if (member.end - member.start > VALUE_BYTES) return undefined
    settings[key] = parseRange(frame, member)
  }
  return settings
}

const PICTURE = Buffer.from('"input_image"')

/**
 * True where an event may hold a picture, of which not all bytes are text. A large event is read and not searched, in the places that the vendor
 * has for one: of a picture elsewhere all bytes count.
 */
export function holdsPicture(frame: Buffer): boolean {
  if (!isLargeFrame(frame)) return frame.includes(PICTURE)
  let isFound = false
  const lookAtItem = (members: readonly Member[]): void => {
    for (const content of valuesOf(frame, members, 'content'))
      eachObject(frame, content, ['type'], (part) => {
        isFound ||= part.length === 1 && wordAt(frame, part[0]) === 'input_image'
      })
  }
  const found: Member[] = []
  scanObject(frame, 0, frame.length, ['item', 'response'], found)
  for (const item of valuesOf(frame, found, 'item')) eachObject(frame, item, ['content'], lookAtItem)
  for (const response of valuesOf(frame, found, 'response'))
    eachObject(frame, response, ['input'], (members) => {
      for (const input of valuesOf(frame, members, 'input')) eachObject(frame, input, ['content'], lookAtItem)
    })
  return isFound
}
