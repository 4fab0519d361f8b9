import { computeResponsesBounds } from './bounds.ts'
import { addText } from '../../usage/estimate.ts'
import type { Tally } from '../../usage/estimate.ts'
import { parseRange, scanObject } from '../../json/scan.ts'
import type { JsonMember } from '../../json/scan.ts'
import { isRaw } from '../../usage/usage.ts'
import { MAX_TOOL_USES } from '../billable-options.ts'
import type { DialectRules, StreamMeter, EventVerdict } from '../dialect.ts'
import { readBodyFacts } from '../facts.ts'
import { RESPONSES_EXTRA_KEYS, readAnswerExtras } from './usage-extras.ts'
import { responsesOptionRules } from './billable-options.ts'
import { parseOpenaiUsage } from './usage.ts'
import { KEEPALIVE, readEventType } from './sse.ts'
import { parseEventJson, findEventMember, isErrorEvent, findLastEventStart } from '../sse.ts'
import { setBodyMember } from '../write-member.ts'

const TOKENS = Buffer.from('input_tokens"')
const WANTED = ['usage', ...RESPONSES_EXTRA_KEYS]
const NAME = 'event: response.'
/** Usage is on all three; reading it only on `completed` loses money (wire.md 8). */
const TERMINAL = new Set(['response.completed', 'response.failed', 'response.incomplete'])

function matters(events: Buffer): boolean {
  if (events.indexOf(TOKENS) >= 0) return true
  const start = findLastEventStart(events)
  if (events[start] !== 101 || events[start + 7] !== 114) return true
  const c = events[start + NAME.length]
  return c === 99 || c === 102 || c === 105
}

/** Reads the whole response from the last event. */
function readResponse(event: Buffer, meter: StreamMeter): void {
  const response = findEventMember(event, 'response')
  const found: JsonMember[] = []
  if (response === undefined || scanObject(event, response.start, response.end, WANTED, found) < 0) return
  const usage = found.findLast((member) => member.key === 'usage')
  const raw = usage === undefined ? undefined : parseRange(event, usage)
  if (!isRaw(raw)) return
  meter.raw = raw
  meter.beside = readAnswerExtras(event, found)
}

function onEvent(event: Buffer, _strip: boolean, meter: StreamMeter): EventVerdict {
  const type = readEventType(event)
  if (TERMINAL.has(type)) {
    readResponse(event, meter)
    meter.told = event
    meter.ended = true
    meter.final = true
    if (type === 'response.failed') meter.failed = true
    return 'end'
  }
  if (type !== 'error' && !isErrorEvent(event)) return 'pass'
  meter.failed = true
  meter.ended = true
  return 'end'
}

function tally(event: Buffer, into: Tally): void {
  const type = readEventType(event)
  if (TERMINAL.has(type)) into.finished = true
  if (type.endsWith('.delta')) addText(into, parseEventJson(event)?.['delta'], type.startsWith('response.reasoning'))
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const openaiResponsesDialect: DialectRules = {
  id: 'openai-responses',
  surface: 'openai',
  endpoint: '/v1/responses',
  upstreamPath: () => '/v1/responses',
  readFacts: (body) => readBodyFacts(body, ['max_output_tokens'], responsesOptionRules),
  usageKey: 'usage',
  usageOf: parseOpenaiUsage,
  bounds: computeResponsesBounds,
  withCap: (body, tokens) => setBodyMember(body, ['max_output_tokens'], String(tokens)),
  // Without it nothing limits the number of their uses.
  withToolCalls: (body) => setBodyMember(body, ['max_tool_calls'], String(MAX_TOOL_USES)),
  besideKeys: RESPONSES_EXTRA_KEYS,
  besideOf: readAnswerExtras,
  stream: {
    matters,
    onEvent,
    tally,
    rawUsage: (meter) => meter.raw,
    keepalive: KEEPALIVE,
    // Flat as documented, and nested as sent in practice: without `error` the SDK would end the loop as if it had succeeded.
    cut: (message) => {
      const error = { type: 'server_error', code: 'upstream_cut', message, param: null }
      return Buffer.from(`event: error\ndata: ${JSON.stringify({ type: 'error', code: error.code, message, param: null, sequence_number: 0, error })}\n\n`)
    },
  },
}
