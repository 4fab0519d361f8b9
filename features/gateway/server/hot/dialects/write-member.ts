import { scanObject } from '../json/scan.ts'
import { spliceBody } from '../json/notes.ts'
import type { JsonMember } from '../json/scan.ts'
import type { Edit } from '../json/notes.ts'

const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * Sets a member of the body's object: every member with one of these names gets the value, since parsers differ in which of several they
 * take; if there is none, it becomes the first, under the first name. All other bytes are unchanged.
 */
export function setBodyMember(body: Buffer, names: readonly string[], value: string): Buffer {
  return spliceBody(body, editsOf(body, { start: body.indexOf(OPEN_OBJECT), end: body.length }, names, value))
}

/** The edits that set a member of the object at `within`. */
function editsOf(body: Buffer, within: Pick<JsonMember, 'start' | 'end'>, names: readonly string[], value: string): Edit[] {
  const found: JsonMember[] = []
  scanObject(body, within.start, within.end, names, found)
  if (found.length > 0) return found.map(({ start, end }) => ({ start, end, text: value }))
  const at = within.start + 1
  let next = at
  while (body[next]! <= 32) next++
  return [{ start: at, end: at, text: `"${names[0]}":${value}${body[next] === CLOSE_OBJECT ? '' : ','}` }]
}

const CONFIGS = ['generationConfig', 'generation_config']
const CAPS = ['maxOutputTokens', 'max_output_tokens']

/** Likewise for Gemini's cap, which is in a nested object. Google takes the last of several such objects; the others keep only the cap. */
export function setGeminiCap(body: Buffer, tokens: number): Buffer {
  const found: JsonMember[] = []
  scanObject(body, body.indexOf(OPEN_OBJECT), body.length, CONFIGS, found)
  const config = found.at(-1)
  const capOnly = `{"maxOutputTokens":${tokens}}`
  if (config === undefined || body[config.start] !== OPEN_OBJECT) return setBodyMember(body, CONFIGS, capOnly)
  const others = found.slice(0, -1).map(({ start, end }) => ({ start, end, text: capOnly }))
  return spliceBody(body, [...others, ...editsOf(body, config, CAPS, String(tokens))])
}
