import { addText } from '../../usage/estimate.ts'
import type { Tally } from '../../usage/estimate.ts'
import type { Factor } from '../../deps.ts'
import { findMember, parseRange } from '../../json/scan.ts'
import { MESSAGES_USAGE, INFERENCE_REGIONS, SERVICE_TIERS, SPEEDS, ITERATION_STEPS } from '../../terms/anthropic.ts'
import { describeTermsRefusal } from '../../terms/terms.ts'
import type { TermsTable } from '../../terms/terms.ts'
import { findUnknownNumber } from '../../terms/unknown-usage.ts'
import { NO_USAGE, readTokenCount, isRaw, readObjectPart, isSaneUsage } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import { messagesOptionRules } from './billable-options.ts'
import type { UsageContext, DialectRules, StreamMeter, EventVerdict } from '../dialect.ts'
import { readBodyFacts } from '../facts.ts'
import { parseEventJson, parseEventObject, isErrorEvent, findLastEventStart } from '../sse.ts'
import { setBodyMember } from '../write-member.ts'
import { createTextBounds } from '../../bounds/bounds.ts'
import type { InputBounds } from '../../bounds/bounds.ts'
import { addPicture, addUnknownContent } from '../../bounds/inline.ts'
import { readWholeNumberAt, visitElements, hasDuplicateKeys, readMembers, findNamedMember, readTopMembers, readShortText } from '../../bounds/walk.ts'

/** Maximum tokens of one image, at the highest resolution. https://platform.claude.com/docs/en/build-with-claude/vision */
const PICTURE_TOKENS = 4_784
/**
 * The vendor's system prompt for tools, and for each of its hosted tools.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing
 */
const TOOL_PROMPT_TOKENS = 1_000
const TOOL_TOKENS = 1_000
/** "The server-side loop runs at most ten iterations", then answers `pause_turn`. https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools */
const ITERATIONS = 10

const BODY = ['system', 'messages', 'tools', 'mcp_servers', 'container', 'context_management']
const MESSAGE = ['content']
const BLOCK = ['type', 'source', 'content']
const SOURCE = ['type', 'data', 'content']
const TOOL = ['type', 'max_uses']
/** Blocks that are complete in their bytes; `content` may hold more blocks. */
const PLAIN_BLOCKS =
  /^(?:text|thinking|redacted_thinking|tool_use|tool_result|server_tool_use|mcp_tool_use|mcp_tool_result|search_result|tool_reference|compaction|web_search_tool_result|(?:bash_|text_editor_)?code_execution_tool_result|tool_search_tool_result)$/
/** Tools that the client runs itself, '' for custom ones. */
const CLIENT_TOOLS = /^(?:|custom|(?:bash|text_editor|computer|memory)_\d{8})$/

/** Messages. */
export function computeAnthropicBounds(body: Buffer): InputBounds {
  const into = createTextBounds(body, PICTURE_TOKENS)
  const found = readTopMembers(body, BODY)
  for (const one of found) {
    if (one.key === 'messages') visitElements(body, one, lookAtMessage, into)
    else if (one.key === 'system') visitElements(body, one, lookAtBlock, into)
    else if (one.key === 'tools') {
      into.media += TOOL_PROMPT_TOKENS
      visitElements(body, one, lookAtTool, into)
    } else if (one.key === 'mcp_servers') visitElements(body, one, lookAtServer, into)
  }
  if (into.reads > 1 || findNamedMember(found, body, 'container') !== undefined) addUnknownContent(into)
  into.reads = Math.min(ITERATIONS, into.reads)
  // Compaction is a separate step over the whole context.
  if (findNamedMember(found, body, 'context_management') !== undefined) into.reads++
  return into
}

function lookAtTool(body: Buffer, start: number, end: number, into: InputBounds): void {
  const found = readMembers(body, start, end, TOOL)
  const type = readShortText(body, findNamedMember(found, body, 'type'))
  if (type !== '') into.media += TOOL_TOKENS
  if (hasDuplicateKeys(found)) into.reads += ITERATIONS
  else if (!CLIENT_TOOLS.test(type)) into.reads += Math.max(1, readWholeNumberAt(body, findNamedMember(found, body, 'max_uses')) ?? ITERATIONS)
}

function lookAtServer(_body: Buffer, _start: number, _end: number, into: InputBounds): void {
  into.reads += ITERATIONS
}

function lookAtMessage(body: Buffer, start: number, end: number, into: InputBounds): void {
  const found = readMembers(body, start, end, MESSAGE)
  for (const one of found) visitElements(body, one, lookAtBlock, into)
}

function lookAtBlock(body: Buffer, start: number, end: number, into: InputBounds): void {
  const found = readMembers(body, start, end, BLOCK)
  const type = readShortText(body, findNamedMember(found, body, 'type'))
  if (hasDuplicateKeys(found)) return addUnknownContent(into)
  const source = findNamedMember(found, body, 'source')
  const its = source === undefined || body[source.start] !== 123 ? [] : readMembers(body, source.start, source.end, SOURCE)
  const from = hasDuplicateKeys(its) ? '' : readShortText(body, findNamedMember(its, body, 'type'))
  if (type === 'image') return addPicture(into, from === 'base64' ? findNamedMember(its, body, 'data') : undefined)
  if (type === 'document') {
    if (from === 'content') visitElements(body, findNamedMember(its, body, 'content'), lookAtBlock, into)
    else if (from !== 'text') addUnknownContent(into)
    return
  }
  if (!PLAIN_BLOCKS.test(type)) return addUnknownContent(into)
  visitElements(
    body,
    findNamedMember(found, body, 'content'),
    type.endsWith('_result') && type !== 'tool_result' && type !== 'search_result' ? lookAtResult : lookAtBlock,
    into,
  )
}

/** An earlier result of the vendor's own tools, sent back: text, unless it names another type. */
function lookAtResult(body: Buffer, start: number, end: number, into: InputBounds): void {
  const type = readShortText(body, readMembers(body, start, end, ['type'])[0])
  if (type === 'image' || type === 'document') lookAtBlock(body, start, end, into)
}

const TOKENS = Buffer.from('_tokens"')
const NAME = 'event: '.length

function matters(events: Buffer): boolean {
  if (events.indexOf(TOKENS) >= 0) return true
  const start = findLastEventStart(events)
  const c = events[start + NAME]
  // content_block_... and ping carry no usage and end nothing.
  return events[start] !== 101 || (c !== 99 && c !== 112)
}

function nameOf(event: Buffer): string {
  return /^event: ?([^\r\n]+)/.exec(event.toString('latin1', 0, 60))?.[1]?.trim() ?? ''
}

function onEvent(event: Buffer, _strip: boolean, meter: StreamMeter): EventVerdict {
  switch (nameOf(event)) {
    case 'message_start':
      meter.raw = parseEventObject(event, 'message', 'usage')
      meter.beside = readContainer(parseEventObject(event, 'message', 'container'), meter)
      return 'pass'
    case 'message_delta':
      meter.raw = mergeUsage(meter.raw, parseEventObject(event, 'usage'))
      meter.beside = readContainer(parseEventObject(event, 'delta', 'container'), meter)
      meter.final = true
      return 'pass'
    case 'message_stop':
      meter.ended = true
      return 'end'
    default:
      if (!isErrorEvent(event)) return 'pass'
      meter.failed = true
      meter.ended = true
      return 'end'
  }
}

const readContainer = (container: Raw | undefined, meter: StreamMeter): Raw | undefined => (container === undefined ? meter.beside : { container })

/** Figures of message_delta are cumulative: the newer replaces the older, null and absent change nothing. */
function mergeUsage(older: Raw | undefined, newer: Raw | undefined): Raw | undefined {
  if (newer === undefined) return older
  const kept = Object.fromEntries(Object.entries(newer).filter(([, value]) => value !== null))
  return { ...older, ...kept }
}

/** Input excludes both cache classes; writes without their split cost the 5-minute price (wire.md 7). */
function parsePlainUsage(raw: Raw): Usage | undefined {
  const input = readTokenCount(raw, 'input_tokens')
  const output = readTokenCount(raw, 'output_tokens')
  if (input === undefined || output === undefined) return undefined
  const split = readObjectPart(raw, 'cache_creation')
  const hour = readTokenCount(split, 'ephemeral_1h_input_tokens') ?? 0
  const written = readTokenCount(raw, 'cache_creation_input_tokens') ?? (readTokenCount(split, 'ephemeral_5m_input_tokens') ?? 0) + hour
  const cacheWrite1h = Number.isNaN(hour) ? Number.NaN : Math.min(hour, written)
  const thinking = Math.min(readTokenCount(readObjectPart(raw, 'output_tokens_details'), 'thinking_tokens') ?? 0, output)
  const usage: Usage = {
    ...NO_USAGE,
    input,
    cachedInput: readTokenCount(raw, 'cache_read_input_tokens') ?? 0,
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    output: output - thinking,
    reasoning: thinking,
  }
  return isSaneUsage(usage) ? usage : undefined
}

/** At least five minutes of a code container are billed. https://platform.claude.com/docs/en/about-claude/pricing#code-execution-tool */
const MIN_CODE_SECONDS = 300

/** Reads the parts of Claude's usage beside tokens: speed, region, searches, and the container, if code in it is not free. */
function readUsageExtras(raw: Raw, around: UsageContext | undefined): Pick<Usage, 'factors' | 'unknown' | 'webSearches' | 'codeSeconds'> {
  const factors: Factor[] = []
  let unknown: string | undefined
  const is = (key: string, table: TermsTable, factor: Factor): void => {
    const value = raw[key]
    if (value === undefined || value === null || value === '' || value === 'not_available') return
    if (typeof value !== 'string' || !Object.hasOwn(table, value)) unknown = `${key}=${String(value)}`
    else if (value === factor) factors.push(factor)
  }
  is('speed', SPEEDS, 'fast')
  is('inference_geo', INFERENCE_REGIONS, 'us')
  const tier = raw['service_tier'] ?? 'standard'
  if (typeof tier !== 'string' || !Object.hasOwn(SERVICE_TIERS, tier) || describeTermsRefusal(SERVICE_TIERS[tier], tier) !== undefined)
    unknown = `service_tier=${String(tier)}`
  for (const step of Array.isArray(raw['iterations']) ? raw['iterations'].filter(isRaw) : [])
    if (!Object.hasOwn(ITERATION_STEPS, String(step['type']))) unknown = `iterations[].type=${String(step['type'])}`
  const paid = around?.asks.tools.some(({ kind }) => kind === 'codeSeconds') === true
  return {
    factors,
    unknown: unknown ?? findUnknownNumber(raw, MESSAGES_USAGE),
    webSearches: readTokenCount(readObjectPart(raw, 'server_tool_use'), 'web_search_requests') ?? 0,
    codeSeconds: paid && isRaw(around.beside?.['container']) ? Math.max(MIN_CODE_SECONDS, around.seconds) : 0,
  }
}

/**
 * With `iterations`, compaction is outside the totals, and advisor and fallback steps ran on other models: each is priced separately
 * (wire.md 7). Steps of the requested model remain as the totals have them.
 */
export function parseAnthropicUsage(raw: Raw, around?: UsageContext): Usage | undefined {
  const plain = parsePlainUsage(raw)
  const told = plain && readUsageExtras(raw, around)
  // a malformed search count makes the whole usage unbillable
  const totals = told && !Number.isNaN(told.webSearches) ? { ...plain, ...told } : undefined
  const steps = Array.isArray(raw['iterations']) ? raw['iterations'].filter(isRaw) : []
  if (totals === undefined || steps.length === 0) return totals
  const extra: { model: string | undefined; usage: Usage }[] = []
  let fellBack = false
  for (const step of steps) {
    const plainStep = parsePlainUsage(step)
    if (plainStep === undefined) return { ...totals, unknown: totals.unknown ?? 'iterations' }
    const usage = { ...plainStep, factors: totals.factors }
    const model = typeof step['model'] === 'string' ? step['model'] : undefined
    if (step['type'] === 'fallback_message') fellBack = true
    if (step['type'] !== 'message') extra.push({ model, usage })
  }
  if (!fellBack) return { ...totals, extra }
  // The totals include a fallback's answer: every step is priced separately and the totals are ignored.
  const messages = steps
    .filter((step) => step['type'] === 'message')
    .flatMap((step) => {
      const usage = parsePlainUsage(step)
      return usage === undefined ? [] : [{ model: typeof step['model'] === 'string' ? step['model'] : undefined, usage: { ...usage, factors: totals.factors } }]
    })
  return { ...NO_USAGE, ...told, factors: [], extra: [...messages, ...extra] }
}

function tally(event: Buffer, into: Tally): void {
  const name = nameOf(event)
  if (name === 'message_stop') into.finished = true
  if (name !== 'content_block_delta') return
  const json = parseEventJson(event)
  const delta = json !== undefined && isRaw(json['delta']) ? json['delta'] : {}
  addText(into, delta['text'])
  addText(into, delta['partial_json'])
  addText(into, delta['thinking'], true)
}

/** A thinking budget must be at least 1,024 and below the cap: use half of the cap, or no thinking. */
function setCap(body: Buffer, tokens: number): Buffer {
  const capped = setBodyMember(body, ['max_tokens'], String(tokens))
  const thinking = findMember(body, body.indexOf(123), body.length, 'thinking')
  const budget = thinking === undefined ? undefined : findMember(body, thinking.start, thinking.end, 'budget_tokens')
  if (budget === undefined || Number(body.toString('latin1', budget.start, budget.end)) < tokens) return capped
  const half = Math.floor(tokens / 2)
  return setBodyMember(capped, ['thinking'], half < MIN_THINKING_TOKENS ? '{"type":"disabled"}' : `{"type":"enabled","budget_tokens":${half}}`)
}
const MIN_THINKING_TOKENS = 1_024

/** https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export const anthropicMessagesDialect: DialectRules = {
  id: 'anthropic-messages',
  surface: 'anthropic',
  endpoint: '/v1/messages',
  upstreamPath: (_model, method) => (method === 'count_tokens' ? '/v1/messages/count_tokens' : '/v1/messages'),
  readFacts: (body) => readBodyFacts(body, ['max_tokens'], messagesOptionRules),
  usageKey: 'usage',
  usageOf: parseAnthropicUsage,
  bounds: computeAnthropicBounds,
  withCap: setCap,
  besideKeys: ['container'],
  besideOf: (answer, members) => {
    const container = members.findLast((member) => member.key === 'container')
    return container === undefined ? undefined : { container: parseRange(answer, container) }
  },
  stream: {
    matters,
    onEvent,
    tally,
    rawUsage: (meter) => meter.raw,
    keepalive: Buffer.from('event: ping\ndata: {"type": "ping"}\n\n'),
    cut: (message, requestId) =>
      Buffer.from(`event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'api_error', message }, request_id: requestId })}\n\n`),
  },
}
