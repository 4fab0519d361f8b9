import { minNano, subtractNano, sumNano, multiplyNano, computeTokenCost, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { GatewayCall, GenerateTarget } from '../call.ts'
import type { Dialect, QuotaRefusal, UsageLine } from '../deps.ts'
import { DIALECTS } from '../dialects/index.ts'
import { computeAffordableOutput, computeHoldNeed, estimateUsualTokens } from '../admission/hold.ts'
import type { HoldNeed } from '../admission/hold.ts'
import { computeBudgetPart } from '../admission/limits.ts'
import { requestLease, retryWithCountedText, computeMissingAmount } from '../admission/promise.ts'
import { findHighestInputPrice, findHighestOutputPrice, buildUsageLines, selectPriceTier } from '../settlement/pricing.ts'
import { collectCallBody, interpretBody } from '../request/read-request.ts'
import { sendCallRefusal, sendJson } from '../reply/reply.ts'
import { findMember } from '../json/scan.ts'

/** Realtime sessions have no body to quote. */
const NOT_QUOTED: ReadonlySet<string> = new Set<Dialect>(['openai-realtime', 'gemini-live'])
/** Members that only some dialects have, with those dialects; the model's own one is chosen, or the first. */
const DIALECTS_BY_MEMBER: readonly (readonly [string, readonly Dialect[]])[] = [
  ['contents', ['gemini-generate']],
  ['content', ['gemini-embed']],
  ['documents', ['rerank']],
  ['prompt', ['openai-completions', 'openai-images']],
  ['input', ['openai-responses', 'openai-embeddings', 'openai-speech', 'openai-moderations']],
]

/**
 * POST /v1/quote: takes the body of a call and returns its maximum cost, and whether it would be admitted now. Nothing is sent to a vendor,
 * counted or charged. `?dialect=` names the body's dialect; otherwise its members decide (`DIALECTS_BY_MEMBER`; else Messages with an
 * `anthropic-version` header, Chat Completions without). Gemini's model is `model` in the body or `?model=`.
 */
export async function answerQuote(call: GatewayCall): Promise<void> {
  const body = await collectCallBody(call)
  if (body === undefined) return
  const query = new URLSearchParams(call.located.query)
  const target = resolveQuoteTarget(call, body, query)
  if (target === undefined) {
    sendCallRefusal(call, { cause: 'bad_field', field: 'dialect', message: `\`dialect\` must be one of ${Object.keys(DIALECTS).filter(isQuoted).join(', ')}.` })
    return
  }
  if (!(await interpretBody(call, target, body))) return
  const model = call.model!
  const { need, refusal, held } = await tryAdmission(call, computeHoldNeed(call))
  const parts = listQuoteLines(call, need)
  if (call.sent) return
  sendJson(call, {
    object: 'quote',
    model: model.id,
    dialect: target.dialect,
    currency: 'USD',
    max_cost: formatUsd(sumNano(parts.map(({ amount }) => amount))),
    hold: formatUsd(held),
    output_cap: held < need.wanted ? computeAffordableOutput(call, need, held) : null,
    least_cost: formatUsd(need.least),
    minute_tokens: estimateUsualTokens(call, need),
    parts: parts.map(({ kind, tokens, unitPrice, amount }) => ({ kind, tokens, price_per_million: formatUsd(unitPrice), amount: formatUsd(amount) })),
    price_version: model.prices.version,
    allowed: refusal === undefined,
    refused_by: refusal ?? null,
  })
}

/** Splits the quote into lines, each token class at its highest possible price. */
function listQuoteLines(call: GatewayCall, { media, input, output, wanted }: HoldNeed): readonly UsageLine[] {
  const { prices } = call.model!
  if (media !== undefined) return buildUsageLines(prices, media, call.deps.findModel)
  const tier = selectPriceTier(prices, input)
  const parts = [part('input', input, findHighestInputPrice(tier)), part('output', output, findHighestOutputPrice(tier))].filter(({ tokens }) => tokens > 0)
  // The remainder pays for more than plain tokens: a tier, a speed, tools, steps on other models.
  const rest = subtractNano(wanted, sumNano(parts.map(({ amount }) => amount)))
  return rest > 0n ? [...parts, { kind: 'call', tokens: 1, unitPrice: multiplyNano(rest, 1_000_000), amount: rest }] : parts
}

const part = (kind: 'input' | 'output', tokens: number, unitPrice: Nano): UsageLine => ({
  kind,
  tokens,
  unitPrice,
  amount: computeTokenCost(tokens, unitPrice),
})

function resolveQuoteTarget(call: GatewayCall, body: Buffer, query: URLSearchParams): GenerateTarget | undefined {
  const named = findMember(body, 0, body.length, 'model')
  const inBody = named === undefined ? '' : body.toString('utf8', named.start, named.end).replace(/^"|"$/g, '')
  const dialect = query.get('dialect') ?? detectQuoteDialect(call, body, inBody)
  if (!isQuoted(dialect)) return undefined
  const { surface } = DIALECTS[dialect]
  const model = surface === 'gemini' ? (query.get('model') ?? inBody).replace(/^models\//, '') : ''
  const method = dialect === 'gemini-generate' ? 'generateContent' : dialect === 'gemini-embed' ? 'embedContent' : ''
  return { kind: 'generate', surface, dialect, verb: 'POST', method, model, free: false }
}

const isQuoted = (dialect: string): dialect is Dialect => Object.hasOwn(DIALECTS, dialect) && !NOT_QUOTED.has(dialect)

function detectQuoteDialect(call: GatewayCall, body: Buffer, model: string): Dialect {
  const native = call.deps.findModel(model)?.dialects
  for (const [member, dialects] of DIALECTS_BY_MEMBER)
    if (findMember(body, 0, body.length, member) !== undefined) return dialects.find((dialect) => native?.has(dialect) === true) ?? dialects[0]!
  return call.surface === 'anthropic' ? 'anthropic-messages' : 'openai-chat'
}

/** The hold that a call would get now, or its refusal. Tries the key's limits and the balance as a call would, and changes neither. */
async function tryAdmission(call: GatewayCall, need: HoldNeed): Promise<{ need: HoldNeed; held: Nano; refusal?: object }> {
  const { deps } = call
  const key = call.apiKey!
  let wanted = need.wanted
  if (key.limits?.counted === true && deps.quota !== undefined) {
    const ask = async (held: Nano, least?: Nano) => {
      const answer = await deps.quota!.ask({
        callId: `quote_${call.key24}`,
        key,
        held,
        least,
        tokens: estimateUsualTokens(call, need),
        startedAt: call.startedAt,
      })
      call.standing = answer.standing
      return answer.refusal
    }
    const first = await ask(wanted, need.least)
    wanted = (first === undefined ? wanted : computeBudgetPart(first, wanted, need.least)) ?? 0n
    const refusal = first === undefined || wanted === 0n ? first : await ask(wanted)
    if (refusal !== undefined) return { need, held: need.wanted, refusal: describeLimit(refusal) }
  }
  let at = { need, lease: await requestLease(call, wanted, need.least) }
  if (at.lease === 'insufficient_balance') at = (await retryWithCountedText(call, need, wanted)) ?? at
  const { lease } = at
  if (lease === 'insufficient_balance')
    return { need: at.need, held: at.need.wanted, refusal: { limit: 'balance', missing: formatUsd(computeMissingAmount(call, at.need)) } }
  if (lease === 'too_much_held') return { need: at.need, held: at.need.wanted, refusal: { limit: 'account', retry_after_ms: 1_000 } }
  if (lease === 'unavailable') return { need, held: need.wanted, refusal: { limit: 'unavailable', retry_after_ms: 1_000 } }
  const held = lease.granted ?? minNano(wanted, at.need.wanted)
  deps.journal.forgo?.(lease, held)
  return { need: at.need, held }
}

const LIMIT_NAMES: Readonly<Record<QuotaRefusal['by'], string>> = {
  requests: 'requests_per_minute',
  tokens: 'tokens_per_minute',
  concurrency: 'concurrency',
  day: 'day_budget',
  month: 'month_budget',
}

function describeLimit({ by, limit, used, retryMs }: QuotaRefusal): object {
  const isMoney = by === 'day' || by === 'month'
  const figure = (value: bigint): string | number => (isMoney ? formatUsd(value) : Number(value))
  return { limit: LIMIT_NAMES[by], allowed: figure(limit), used: figure(used), retry_after_ms: retryMs ?? null }
}
