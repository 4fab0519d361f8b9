import { computeChatBounds } from './bounds.ts'
import { addText } from '../../usage/estimate.ts'
import type { Tally } from '../../usage/estimate.ts'
import { findMember, scanObject } from '../../json/scan.ts'
import { spliceBody } from '../../json/notes.ts'
import type { JsonMember } from '../../json/scan.ts'
import { isRaw } from '../../usage/usage.ts'
import type { DialectRules, StreamMeter, EventVerdict } from '../dialect.ts'
import { readBodyFacts } from '../facts.ts'
import { chatOptionRules } from './billable-options.ts'
import { CHAT_EXTRA_KEYS, readAnswerExtras } from './usage-extras.ts'
import { KEEPALIVE, buildOpenaiCutEvent, endsWithDone } from './sse.ts'
import { parseOpenaiUsage } from './usage.ts'
import { parseEventJson, parseEventObject, isErrorEvent, findJsonStart, findLastEventStart } from '../sse.ts'
import { setBodyMember } from '../write-member.ts'

/** Part of every usage object; inside a JSON string the quote would be escaped. */
const TOKENS = Buffer.from('_tokens"')
const USAGE = Buffer.from('"usage"')
const OPEN_BRACKET = 91,
  NULL = 110,
  COMMA = 44,
  QUOTE = 34
const WANTED = ['usage', 'choices', ...CHAT_EXTRA_KEYS]

function matters(events: Buffer, strip: boolean): boolean {
  if (events.indexOf(TOKENS) >= 0 || endsWithDone(events)) return true
  if (strip && events.indexOf(USAGE) >= 0) return true
  const start = findLastEventStart(events)
  // `data: {"id"...` is the form of nearly every event.
  return !(events[start] === 100 && events[start + 7] === QUOTE && events[start + 8] === 105) && isErrorEvent(events.subarray(start))
}

function onEvent(event: Buffer, strip: boolean, meter: StreamMeter): EventVerdict {
  if (endsWithDone(event)) {
    meter.ended = true
    return 'end'
  }
  if (event.indexOf(USAGE) < 0) return passUnlessError(event, meter)
  const start = findJsonStart(event)
  if (start < 0) return 'pass'
  const found: JsonMember[] = []
  if (scanObject(event, start, event.length, WANTED, found) < 0) return 'pass'
  const usage = found.findLast((member) => member.key === 'usage')
  if (usage === undefined) return passUnlessError(event, meter)
  if (event[usage.start] === NULL) return strip ? removeMember(event, usage) : 'pass'
  const raw = parseEventObject(event, 'usage')
  if (raw !== undefined) {
    meter.raw = raw
    meter.beside = readAnswerExtras(event, found)
    meter.final = true
  }
  const choices = found.findLast((member) => member.key === 'choices')
  const extra =
    choices !== undefined && event[choices.start] === OPEN_BRACKET && event.toString('latin1', choices.start, choices.end).replace(/\s/g, '') === '[]'
  if (extra) return strip ? 'drop' : 'hold'
  return strip ? removeMember(event, usage) : 'pass'
}

function passUnlessError(event: Buffer, meter: StreamMeter): EventVerdict {
  if (!isErrorEvent(event)) return 'pass'
  meter.failed = true
  meter.ended = true
  return 'end'
}

/** The event without that member, as the vendor would have sent it without a usage request. */
function removeMember(event: Buffer, member: JsonMember): Buffer {
  let from = event.lastIndexOf(QUOTE, event.lastIndexOf(QUOTE, member.start - 1) - 1)
  let to = member.end
  let before = from - 1
  while (event[before]! <= 32) before--
  if (event[before] === COMMA) {
    from = before
  } else {
    while (event[to]! <= 32) to++
    if (event[to] === COMMA) to++
  }
  return Buffer.concat([event.subarray(0, from), event.subarray(to)])
}

function tally(event: Buffer, into: Tally): void {
  if (endsWithDone(event)) into.finished = true
  const choices = parseEventJson(event)?.['choices']
  if (!Array.isArray(choices)) return
  for (const choice of choices) {
    if (!isRaw(choice)) continue
    const delta = isRaw(choice['delta']) ? choice['delta'] : {}
    addText(into, delta['content'])
    addText(into, delta['refusal'])
    addText(into, delta['reasoning_content'] ?? delta['reasoning'], true)
    const tools = delta['tool_calls']
    if (Array.isArray(tools)) for (const tool of tools) addToolText(into, tool)
    if (typeof choice['finish_reason'] === 'string') into.finished = true
  }
}

function addToolText(into: Tally, tool: unknown): void {
  if (!isRaw(tool) || !isRaw(tool['function'])) return
  addText(into, tool['function']['name'])
  addText(into, tool['function']['arguments'])
}

/** https://platform.openai.com/docs/api-reference/chat-streaming */
export const openaiChatDialect: DialectRules = {
  id: 'openai-chat',
  surface: 'openai',
  endpoint: '/v1/chat/completions',
  upstreamPath: () => '/v1/chat/completions',
  readFacts: (body) => readBodyFacts(body, ['max_completion_tokens', 'max_tokens'], chatOptionRules),
  usageKey: 'usage',
  usageOf: parseOpenaiUsage,
  bounds: computeChatBounds,
  // Reasoning models accept only this name.
  withCap: (body, tokens) => setBodyMember(body, ['max_completion_tokens'], String(tokens)),
  besideKeys: CHAT_EXTRA_KEYS,
  besideOf: readAnswerExtras,
  stream: {
    matters,
    onEvent,
    tally,
    rawUsage: (meter) => meter.raw,
    keepalive: KEEPALIVE,
    cut: buildOpenaiCutEvent,
  },
}

/** The body with usage requested, so that the stream can be billed (wire.md 5). The chunk that it adds is removed again on the way back. */
export function addUsageOption(body: Buffer, streamOptions: JsonMember | undefined): Buffer {
  if (streamOptions === undefined) {
    const open = body.indexOf(123) + 1
    return spliceBody(body, [{ start: open, end: open, text: '"stream_options":{"include_usage":true},' }])
  }
  const { start, end } = streamOptions
  if (body[start] !== 123) return spliceBody(body, [{ start, end, text: '{"include_usage":true}' }])
  const asked = findMember(body, start, end, 'include_usage')
  if (asked !== undefined) return spliceBody(body, [{ start: asked.start, end: asked.end, text: 'true' }])
  const isEmpty = body.toString('latin1', start + 1, end - 1).trim() === ''
  return spliceBody(body, [{ start: start + 1, end: start + 1, text: isEmpty ? '"include_usage":true' : '"include_usage":true,' }])
}
