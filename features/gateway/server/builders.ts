import { createId } from '#platform/shared/ids.ts'
import { parseUsd, sumNano } from '#platform/shared/money.ts'
import type { Db } from '#platform/server/database/db.ts'
import type { Log } from '#platform/server/log.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { openAccount } from '#features/wallet/server/door.ts'
import { insertKey, recordKeyUses } from './keys/data.ts'
import { toKeyLimits, updateKeyLimits } from './keys/data-limits.ts'
import type { StoredLimits } from './keys/data-limits.ts'
import { selectCurrentModels } from './catalogue/data.ts'
import type { ModelWithPrice } from './catalogue/data.ts'
import type { ApiKey, Lease, ModelPrices, FundsRefusal, RefusedCallRecord, ReservedCall, SettledCall } from './hot/deps.ts'
import { buildUsageLines } from './hot/settlement/pricing.ts'
import { createCallKey } from './hot/ids.ts'
import { NO_USAGE, sumInput, sumOutput } from './hot/usage/usage.ts'
import { createJournal } from './journal/journal.ts'
import type { RunningJournal } from './journal/journal.ts'
import { toClassPrices } from './catalogue/price-classes.ts'
import { insertRefused } from './requests/data-refused.ts'
import { createRefusalRecorder } from './requests/recorder.ts'
import { generateKeySecret, hashKeySecret } from './keys/secret.ts'

export { insertPlannedUsage } from './data-made-usage.ts'

const UNLIMITED: StoredLimits = {
  expiresAt: null,
  models: null,
  networks: null,
  requestsMinute: null,
  tokensMinute: null,
  callsAtOnce: null,
  dayBudget: null,
  monthBudget: null,
}

/** Inserts a live key of a user; only the caller has the secret. */
export async function aKey(
  db: Db,
  userId: string,
  { name = '测试密钥', limits = {} }: { readonly name?: string; readonly limits?: Partial<StoredLimits> } = {},
): Promise<{ secret: string; key: ApiKey }> {
  const stored: StoredLimits = { ...UNLIMITED, ...limits }
  const secret = generateKeySecret()
  const keyId = createId('key')
  const accountId = await openAccount(db, `user:${userId}`, { kind: 'customer' })
  await transact(db, SYSTEM, async (tx) => {
    await insertKey(tx, { keyId, userId, accountId, keyName: name, secretHash: hashKeySecret(secret), last4: secret.slice(-4), requestHash: undefined })
    await updateKeyLimits(tx, keyId, { onDisconnect: 'abort', limits: stored })
    await tx.audit('key.created', `key:${keyId}`)
  })
  return { secret, key: { keyId, userId, accountId, onDisconnect: 'abort', limits: toKeyLimits(stored) } }
}

/** Builds a call of `key` that reserved `held`. */
export function aReservedCall(key: ApiKey, lease: Lease, { held, more = {} }: { readonly held: bigint; readonly more?: Partial<ReservedCall> }): ReservedCall {
  return {
    callId: createId('call'),
    leaseId: lease.leaseId,
    accountId: key.accountId,
    keyId: key.keyId,
    userId: key.userId,
    model: 'gpt-6-luna',
    upstream: 'sandbox-openai',
    priceVersion: 1,
    held,
    startedAt: Date.now(),
    ...more,
  }
}

/** Builds the settlement of a call; defaults to one output line of `amount`. */
export function aSettledCall(call: ReservedCall, amount: bigint, more: Partial<SettledCall> = {}): SettledCall {
  return {
    ...call,
    dialect: 'openai-chat',
    stream: true,
    status: 200,
    outcome: 'completed',
    provenance: 'upstream',
    amount,
    lines: amount ? [{ kind: 'output', tokens: 1_000_000, unitPrice: amount, amount }] : [],
    inputTokens: 1200,
    cachedTokens: 200,
    outputTokens: 1_000_000,
    reasoningTokens: 0,
    upstreamRequestId: createId('up'),
    requestId: createId('req'),
    firstByteMs: 120,
    totalMs: 900,
    ...more,
  }
}

export function isLease(answer: Lease | FundsRefusal): answer is Lease {
  return typeof answer === 'object'
}

/**
 * Inserts use of a key over the last `days`: at least one call a day and model, at today's prices. For demos and screenshots;
 * deterministic.
 */
export async function generateUse(
  db: Db,
  log: Log,
  { key, days, mostCalls = 6 }: { readonly key: ApiKey; readonly days: number; readonly mostCalls?: number },
): Promise<void> {
  const models = (await selectCurrentModels(db)).filter((model) => model.kind === 'chat')
  const journal = await createJournal(db, log, { deadMs: 60_000 })
  let seed = 20_261_120
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
  try {
    for (let ago = 0; ago < days; ago++) {
      for (let i = random(mostCalls) + 1; i > 0; i--)
        await runOneCall(journal, key, { model: models[random(models.length)]!, startedAt: Date.now() - ago * 86_400_000 - random(3_600_000), random })
    }
  } finally {
    await journal.stop()
  }
}

async function runOneCall(
  journal: RunningJournal,
  key: ApiKey,
  { model, startedAt, random }: { readonly model: ModelWithPrice; readonly startedAt: number; readonly random: (below: number) => number },
): Promise<void> {
  const held = parseUsd('1')
  const lease = await journal.admit(key, held)
  if (!isLease(lease)) return
  const prices: ModelPrices = { version: Number(model.version), ...toClassPrices(model.classes), longContext: undefined }
  const usage = {
    ...NO_USAGE,
    input: 40 + random(20_000),
    cachedInput: random(3) ? 0 : random(40_000),
    output: 10 + random(4000),
    reasoning: random(2) ? 0 : random(2000),
  }
  const failed = random(12) === 0
  const lines = failed ? [] : buildUsageLines(prices, usage, () => undefined)
  const call = aReservedCall(key, lease, { held, more: { model: model.modelId, upstream: 'sandbox', priceVersion: prices.version, startedAt } })
  await journal.reserve(call, true)
  const partly = random(9) === 0
  await journal.settle(
    aSettledCall(call, sumNano(lines.map((line) => line.amount)), {
      lines,
      status: failed ? 529 : partly ? 499 : 200,
      outcome: failed ? 'upstream_failed' : partly ? 'client_gone' : 'completed',
      provenance: partly && !failed ? 'estimated' : 'upstream',
      inputTokens: failed ? 0 : sumInput(usage),
      cachedTokens: failed ? 0 : usage.cachedInput,
      outputTokens: failed ? 0 : sumOutput(usage),
      reasoningTokens: failed ? 0 : usage.reasoning,
      firstByteMs: 200 + random(1500),
      totalMs: 2000 + random(40_000),
    }),
  )
}

/** Inserts a call of `key` that was refused `ago` ms ago; by default for a model that the key may not use. */
export function aRefusedCall(key: ApiKey, ago: number, more: Partial<RefusedCallRecord> = {}): RefusedCallRecord {
  const at = Date.now() - ago
  return {
    accountId: key.accountId,
    keyId: key.keyId,
    requestId: `req_${createCallKey(at)}`,
    at,
    totalMs: 2,
    cause: 'model_not_allowed',
    status: 403,
    surface: 'openai',
    path: '/v1/chat/completions',
    model: 'claude-opus-5-5',
    asked: 'claude-opus-5-5',
    message: 'This API key may not use the model `claude-opus-5-5`. Its allowed models are set in the console.',
    field: 'model',
    ...more,
  }
}

export async function recordRefusedCalls(db: Db, log: Log, calls: readonly RefusedCallRecord[]): Promise<void> {
  const recorder = createRefusalRecorder({ write: (batch) => insertRefused(db, batch), log })
  for (const call of calls) recorder.note(call)
  await recorder.stop()
}

/** Marks the key as used `ago` ms ago. */
export const markKeyUsed = (
  db: Db,
  key: ApiKey,
  { ago, model, from = '116.24.8.9' }: { readonly ago: number; readonly model: string; readonly from?: string },
) => recordKeyUses(db, new Map([[key.keyId, { at: Date.now() - ago, from, model }]]))
