import { scanObject } from '../json/scan.ts'
import type { Member } from '../json/scan.ts'

const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * The body with a member of its object set: every member of one of these names gets the value, since parsers differ in which of several they
 * take; where there is none, it becomes the first, under the first name. All other bytes stay.
 */
export function withMember(body: Buffer, names: readonly string[], value: string): Buffer {
  const open = body.indexOf(OPEN_OBJECT)
  const found: Member[] = []
  scanObject(body, open, body.length, names, found)
  if (found.length > 0) return withValues(body, found, value)
  let next = open + 1
  while (body[next]! <= 32) next++
  const added = `"${names[0]}":${value}${body[next] === CLOSE_OBJECT ? '' : ','}`
  return Buffer.concat([body.subarray(0, open + 1), Buffer.from(added), body.subarray(open + 1)])
}

function withValues(body: Buffer, ranges: readonly Member[], value: string): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (const { start, end } of ranges) {
    parts.push(body.subarray(from, start), Buffer.from(value))
    from = end
  }
  parts.push(body.subarray(from))
  return Buffer.concat(parts)
}

const CONFIGS = ['generationConfig', 'generation_config']
const CAPS = ['maxOutputTokens', 'max_output_tokens']

/** The same for Gemini's cap, which stands in an object of its own. */
export function withGeminiCap(body: Buffer, tokens: number): Buffer {
  const found: Member[] = []
  scanObject(body, body.indexOf(OPEN_OBJECT), body.length, CONFIGS, found)
  const config = found.at(-1)
  if (config === undefined || body[config.start] !== OPEN_OBJECT) return withMember(body, CONFIGS, `{"maxOutputTokens":${tokens}}`)
  return withMember(body, CONFIGS, withMember(body.subarray(config.start, config.end), CAPS, String(tokens)).toString())
}
