import { responsesBounds } from './bounds.ts'
import { addText } from '../../usage/estimate.ts'
import type { Tally } from '../../usage/estimate.ts'
import { parseRange, scanObject } from '../../json/scan.ts'
import type { Member } from '../../json/scan.ts'
import { isRaw } from '../../usage/usage.ts'
import { MOST_TOOL_USES } from '../asks.ts'
import type { DialectRules, Meter, Verdict } from '../dialect.ts'
import { readBodyFacts } from '../facts.ts'
import { RESPONSES_BESIDE, besideOf } from './beside.ts'
import { responsesAsks } from './asks.ts'
import { openaiUsage } from './usage.ts'
import { KEEPALIVE, eventType } from './sse.ts'
import { eventJson, eventMember, isErrorEvent, lastEventStart } from '../sse.ts'
import { withMember } from '../write-member.ts'

const TOKENS = Buffer.from('input_tokens"')
const WANTED = ['usage', ...RESPONSES_BESIDE]
const NAME = 'event: response.'
/** Usage is on all three; reading it only on `completed` loses money (wire.md 8). */
const TERMINAL = new Set(['response.completed', 'response.failed', 'response.incomplete'])

function matters(events: Buffer): boolean {
  if (events.indexOf(TOKENS) >= 0) return true
  const start = lastEventStart(events)
  if (events[start] !== 101 || events[start + 7] !== 114) return true
  const c = events[start + NAME.length]
  return c === 99 || c === 102 || c === 105
}

/** Reads the whole response from the last event. */
function readResponse(event: Buffer, meter: Meter): void {
  const response = eventMember(event, 'response')
  const found: Member[] = []
  if (response === undefined || scanObject(event, response.start, response.end, WANTED, found) < 0) return
  const usage = found.findLast((member) => member.key === 'usage')
  const raw = usage === undefined ? undefined : parseRange(event, usage)
  if (!isRaw(raw)) return
  meter.raw = raw
  meter.beside = besideOf(event, found)
}

function onEvent(event: Buffer, _strip: boolean, meter: Meter): Verdict {
  const type = eventType(event)
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
  const type = eventType(event)
  if (TERMINAL.has(type)) into.finished = true
  if (type.endsWith('.delta')) addText(into, eventJson(event)?.['delta'], type.startsWith('response.reasoning'))
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
export const openaiResponses: DialectRules = {
  id: 'openai-responses',
  surface: 'openai',
  endpoint: '/v1/responses',
  upstreamPath: () => '/v1/responses',
  readFacts: (body) => readBodyFacts(body, ['max_output_tokens'], responsesAsks),
  usageKey: 'usage',
  usageOf: openaiUsage,
  bounds: responsesBounds,
  withCap: (body, tokens) => withMember(body, ['max_output_tokens'], String(tokens)),
  // Without it nothing bounds how often they run.
  withToolCalls: (body) => withMember(body, ['max_tool_calls'], String(MOST_TOOL_USES)),
  besideKeys: RESPONSES_BESIDE,
  besideOf,
  stream: {
    matters,
    onEvent,
    tally,
    rawUsage: (meter) => meter.raw,
    keepalive: KEEPALIVE,
    // Flat as documented, and nested as sent in practice: without `error` the SDK would end the loop as if all were well.
    cut: (message) => {
      const error = { type: 'server_error', code: 'upstream_cut', message, param: null }
      return Buffer.from(`event: error\ndata: ${JSON.stringify({ type: 'error', code: error.code, message, param: null, sequence_number: 0, error })}\n\n`)
    },
  },
}
