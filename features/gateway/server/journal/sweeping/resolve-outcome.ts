import type { Sql } from '#platform/server/database/db.ts'
import { sumNano } from '#platform/shared/money.ts'
import { selectUpstreamsOfModel } from '../../upstreams/data.ts'
import type { Dialect } from '../../hot/deps.ts'
import { DIALECTS } from '../../hot/dialects/index.ts'
import { buildUsageLines } from '../../hot/settlement/pricing.ts'
import { sumCached, sumInput, sumOutput } from '../../hot/usage/usage.ts'
import type { CallOutcome } from './sweeper.ts'
import { selectPriceVersion } from './data-sweep.ts'
import type { OpenCallRow } from './data-sweep.ts'
import { toCallPrices } from '../../catalogue/price-classes.ts'
import type { Upstreams } from '../../upstreams/upstreams.ts'
import type { LookedUpCall } from '../../vendors/port.ts'

/**
 * Queries the vendor for a call's outcome and prices it as it was promised. A call that failed over ran on an upstream other than the
 * promised one, so the model's other upstreams are queried as well: `nothing` means that all were queried and none billed it.
 */
export async function resolveCallOutcome(sql: Sql, upstreams: Upstreams, call: OpenCallRow): Promise<CallOutcome> {
  let answer: (LookedUpCall & { readonly upstream: string }) | undefined
  let unasked: unknown
  let isSilent = false
  for (const upstream of [call.upstream, ...(await selectUpstreamsOfModel(sql, call.model)).filter((id) => id !== call.upstream)]) {
    const server = upstreams.vendorOf(upstream)
    if (!server?.vendor.lookup) {
      isSilent = true
      continue
    }
    const one = await server.vendor.lookup(server.baseUrl, server.key, call.callId).catch((error: unknown) => {
      unasked = error
    })
    if (!one?.known) continue
    if (!one.finished) return { kind: 'wait' }
    if (one.usage) answer = { ...one, upstream }
  }
  // The upstream that failed is often the one that cannot be queried; another's bill is valid without it.
  if (!answer && unasked !== undefined) throw unasked
  if (!answer) return { kind: isSilent ? 'unknown' : 'nothing' }
  const raw = answer.usage
  const dialect = raw && (answer.dialect ?? detectDialect(raw))
  const usage = raw && dialect && DIALECTS[dialect].usageOf(raw)
  const row = await selectPriceVersion(sql, call.priceVersion)
  const prices = row && toCallPrices(call.priceVersion, row)
  if (!usage || !dialect || !prices) return { kind: 'unknown' }
  const lines = buildUsageLines(prices, usage, () => undefined)
  return {
    kind: 'bill',
    bill: {
      upstream: answer.upstream,
      dialect,
      lines,
      amount: sumNano(lines.map((line) => line.amount)),
      inputTokens: sumInput(usage),
      cachedTokens: sumCached(usage),
      outputTokens: sumOutput(usage),
      reasoningTokens: usage.reasoning,
    },
  }
}

/** Detects a usage object's dialect by its member names (wire.md 7). */
function detectDialect(raw: Readonly<Record<string, unknown>>): Dialect | undefined {
  if ('responseTokenCount' in raw) return 'gemini-live'
  if ('promptTokenCount' in raw) return 'candidatesTokenCount' in raw ? 'gemini-generate' : 'gemini-embed'
  if ('prompt_tokens' in raw) return 'completion_tokens' in raw ? 'openai-chat' : 'openai-embeddings'
  if (!('input_tokens' in raw)) return undefined
  if ('input_token_details' in raw) return 'openai-realtime'
  return 'total_tokens' in raw ? 'openai-responses' : 'anthropic-messages'
}
