import { least, minus, sum, times, tokenCost, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Call, Generate } from '../call.ts'
import type { Dialect, QuotaRefusal, UsageLine } from '../deps.ts'
import { DIALECTS } from '../dialects/index.ts'
import { affordableOutput, needOf, usualTokens } from '../admission/hold.ts'
import type { Need } from '../admission/hold.ts'
import { partWithin } from '../admission/limits.ts'
import { askJournal, askOnceCounted, missingOf } from '../admission/promise.ts'
import { dearestInput, dearestOutput, linesFor, tierFor } from '../settlement/pricing.ts'
import { collect, understand } from '../request/read-request.ts'
import { refuse, sendJson } from '../reply/reply.ts'
import { memberOf } from '../json/scan.ts'

/** Realtime sessions have no body to quote. */
const NOT_QUOTED: ReadonlySet<string> = new Set<Dialect>(['openai-realtime', 'gemini-live'])
/** A member that only some dialects have; of these the one that the model speaks itself, or the first. */
const TOLD_BY: readonly (readonly [string, readonly Dialect[]])[] = [
  ['contents', ['gemini-generate']],
  ['content', ['gemini-embed']],
  ['documents', ['rerank']],
  ['prompt', ['openai-completions', 'openai-images']],
  ['input', ['openai-responses', 'openai-embeddings', 'openai-speech', 'openai-moderations']],
]

/**
 * POST /v1/quote: takes the body of a call and returns its maximum cost, and if it would be admitted now. Nothing is sent to a
 * vendor, counted or charged. `?dialect=` names the body's dialect; otherwise its members decide (`TOLD_BY`; else Messages with an
 * `anthropic-version` header, Chat Completions without). Gemini's model is `model` in the body or `?model=`.
 */
export async function answerQuote(call: Call): Promise<void> {
  const body = await collect(call)
  if (body === undefined) return
  const query = new URLSearchParams(call.located.query)
  const target = targetFor(call, body, query)
  if (target === undefined) {
    refuse(call, { cause: 'bad_field', field: 'dialect', message: `\`dialect\` must be one of ${Object.keys(DIALECTS).filter(isQuoted).join(', ')}.` })
    return
  }
  if (!(await understand(call, target, body))) return
  const model = call.model!
  const { need, refusal, held } = await tryNow(call, needOf(call))
  const parts = partsOf(call, need)
  if (call.sent) return
  sendJson(call, {
    object: 'quote',
    model: model.id,
    dialect: target.dialect,
    currency: 'USD',
    max_cost: usd(sum(parts.map(({ amount }) => amount))),
    hold: usd(held),
    output_cap: held < need.wanted ? affordableOutput(call, need, held) : null,
    least_cost: usd(need.least),
    minute_tokens: usualTokens(call, need),
    parts: parts.map(({ kind, tokens, unitPrice, amount }) => ({ kind, tokens, price_per_million: usd(unitPrice), amount: usd(amount) })),
    price_version: model.prices.version,
    allowed: refusal === undefined,
    refused_by: refusal ?? null,
  })
}

/** Splits the quote into lines, each token class at its highest possible price. */
function partsOf(call: Call, { media, input, output, wanted }: Need): readonly UsageLine[] {
  const { prices } = call.model!
  if (media !== undefined) return linesFor(prices, media, call.deps.findModel)
  const tier = tierFor(prices, input)
  const parts = [part('input', input, dearestInput(tier)), part('output', output, dearestOutput(tier))].filter(({ tokens }) => tokens > 0)
  // The rest is for more than plain tokens: a tier, a speed, tools, steps on other models.
  const rest = minus(wanted, sum(parts.map(({ amount }) => amount)))
  return rest > 0n ? [...parts, { kind: 'call', tokens: 1, unitPrice: times(rest, 1_000_000), amount: rest }] : parts
}

const part = (kind: 'input' | 'output', tokens: number, unitPrice: Nano): UsageLine => ({ kind, tokens, unitPrice, amount: tokenCost(tokens, unitPrice) })

function targetFor(call: Call, body: Buffer, query: URLSearchParams): Generate | undefined {
  const named = memberOf(body, 0, body.length, 'model')
  const inBody = named === undefined ? '' : body.toString('utf8', named.start, named.end).replace(/^"|"$/g, '')
  const dialect = query.get('dialect') ?? dialectOf(call, body, inBody)
  if (!isQuoted(dialect)) return undefined
  const { surface } = DIALECTS[dialect]
  const model = surface === 'gemini' ? (query.get('model') ?? inBody).replace(/^models\//, '') : ''
  const method = dialect === 'gemini-generate' ? 'generateContent' : dialect === 'gemini-embed' ? 'embedContent' : ''
  return { kind: 'generate', surface, dialect, verb: 'POST', method, model, free: false }
}

const isQuoted = (dialect: string): dialect is Dialect => Object.hasOwn(DIALECTS, dialect) && !NOT_QUOTED.has(dialect)

function dialectOf(call: Call, body: Buffer, model: string): Dialect {
  const native = call.deps.findModel(model)?.dialects
  for (const [member, dialects] of TOLD_BY)
    if (memberOf(body, 0, body.length, member) !== undefined) return dialects.find((dialect) => native?.has(dialect) === true) ?? dialects[0]!
  return call.surface === 'anthropic' ? 'anthropic-messages' : 'openai-chat'
}

/** The hold that a call would get now, or its refusal. Tries the key's limits and the balance as a call would, and changes neither. */
async function tryNow(call: Call, need: Need): Promise<{ need: Need; held: Nano; refusal?: object }> {
  const { deps } = call
  const key = call.apiKey!
  let wanted = need.wanted
  if (key.limits?.counted === true && deps.quota !== undefined) {
    const ask = async (held: Nano, least?: Nano) => {
      const answer = await deps.quota!.ask({ callId: `quote_${call.key24}`, key, held, least, tokens: usualTokens(call, need), startedAt: call.startedAt })
      call.standing = answer.standing
      return answer.refusal
    }
    const first = await ask(wanted, need.least)
    wanted = (first === undefined ? wanted : partWithin(first, wanted, need.least)) ?? 0n
    const refusal = first === undefined || wanted === 0n ? first : await ask(wanted)
    if (refusal !== undefined) return { need, held: need.wanted, refusal: shown(refusal) }
  }
  let at = { need, lease: await askJournal(call, wanted, need.least) }
  if (at.lease === 'insufficient_balance') at = (await askOnceCounted(call, need, wanted)) ?? at
  const { lease } = at
  if (lease === 'insufficient_balance') return { need: at.need, held: at.need.wanted, refusal: { limit: 'balance', missing: usd(missingOf(call, at.need)) } }
  if (lease === 'too_much_held') return { need: at.need, held: at.need.wanted, refusal: { limit: 'account', retry_after_ms: 1_000 } }
  if (lease === 'unavailable') return { need, held: need.wanted, refusal: { limit: 'unavailable', retry_after_ms: 1_000 } }
  const held = lease.granted ?? least(wanted, at.need.wanted)
  deps.journal.forgo?.(lease, held)
  return { need: at.need, held }
}

const NAMES: Readonly<Record<QuotaRefusal['by'], string>> = {
  requests: 'requests_per_minute',
  tokens: 'tokens_per_minute',
  concurrency: 'concurrency',
  day: 'day_budget',
  month: 'month_budget',
}

function shown({ by, limit, used, retryMs }: QuotaRefusal): object {
  const isMoney = by === 'day' || by === 'month'
  const figure = (value: bigint): string | number => (isMoney ? usd(value) : Number(value))
  return { limit: NAMES[by], allowed: figure(limit), used: figure(used), retry_after_ms: retryMs ?? null }
}
