import { subtractNano, parseUsd, addNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ApiKey, GatewayModel } from '#features/gateway/server/hot/index.ts'
import { PRICE_CLASSES, toClassPrices } from '#features/gateway/server/catalogue/price-classes.ts'
import { aModel, anUpstream } from '#features/gateway/server/hot/testing/fake-deps.ts'
import { callLab, openLab } from '#features/gateway/server/hot/testing/lab.ts'
import { buildOrdinaryCall } from '#features/gateway/server/hot/testing/ordinary.ts'
import { createAccountLease, computePortion } from '#features/gateway/server/journal/leases/account-lease.ts'
import { vendors } from '#features/gateway/server/vendors/index.ts'
import current from '#features/gateway/server/catalogue/prices/2026-11-20.json' with { type: 'json' }
import media from '#features/gateway/server/catalogue/prices/2026-11-21-media.json' with { type: 'json' }

/**
 * Prints the smallest balance at which an ordinary call without a cap succeeds, and eight of them in parallel, by model; and the hold of
 * one call with a large balance. `node bench/gateway/balances.ts`
 */
type ListedModel = Pick<GatewayModel, 'id' | 'vendor' | 'kind' | 'contextTokens' | 'maxOutputTokens'> & {
  readonly dialects: readonly string[]
  readonly prices: Readonly<Record<string, string | null>>
  readonly longContext: { readonly aboveInputTokens: number; readonly prices: Readonly<Record<string, string | null>> } | null
}
const toNanoPrices = (prices: ListedModel['prices']) =>
  PRICE_CLASSES.map((name) => {
    const text = prices[name] ?? null
    return text === null ? (name === 'input' || name === 'output' ? '0' : null) : parseUsd(text).toString()
  })

const lab = await openLab()
const route = { upstream: anUpstream(lab.upstream.origin), upstreamModel: 'm' }
const LAB_KEY: ApiKey = { keyId: '', userId: '', accountId: 1n, onDisconnect: 'abort' }

/** Amounts that the relay requests from the journal. */
async function captureAdmission(model: GatewayModel): Promise<{ wanted: Nano; least: Nano }> {
  let asked = { wanted: 0n, least: 0n }
  Object.assign(lab.deps.journal, {
    admit: (_key: ApiKey, wanted: Nano, least: Nano = wanted) => {
      asked = { wanted, least }
      return 'insufficient_balance'
    },
  })
  lab.models.set(model.id, model)
  await callLab(lab, buildOrdinaryCall(model)!)
  return asked
}

/** The smallest balance from which this many calls get their share. */
function computeSmallestSum(calls: number, wanted: Nano, least: Nano): Nano {
  const isEnough = (balance: Nano): boolean => {
    const purse = createAccountLease(LAB_KEY, 0)
    purse.free = balance
    for (let i = 0; i < calls; i++) {
      const portion = computePortion(purse, { amount: wanted, least })
      if (portion === undefined) return false
      purse.free = subtractNano(purse.free, portion)
    }
    return true
  }
  let balance = 0n
  for (let step = parseUsd('64'); step > 0n; step >>= 1n) if (!isEnough(addNano(balance, step))) balance = addNano(balance, step)
  return addNano(balance, 1n)
}

const formatRoundedUp = (amount: Nano): string => (Math.ceil(Number(formatUsd(amount)) * 1_000) / 1_000).toFixed(3)
console.log('| model | holds when rich | smallest for one | smallest for eight at once |\n|---|---|---|---|')
for (const listed of [...current.models, ...media.models] as unknown as readonly ListedModel[]) {
  const long = listed.longContext
  const model = aModel(listed.id, [route], {
    ...listed,
    dialects: new Set(listed.dialects) as GatewayModel['dialects'],
    contextTokens: listed.contextTokens ?? undefined,
    maxOutputTokens: listed.maxOutputTokens ?? undefined,
    traits: new Set(vendors.find((vendor) => vendor.id === listed.vendor)?.traits?.(listed.id)),
    prices: {
      version: 1,
      ...toClassPrices(toNanoPrices(listed.prices)),
      longContext: long === null ? undefined : { aboveInputTokens: long.aboveInputTokens, prices: toClassPrices(toNanoPrices(long.prices)) },
    },
  } as Partial<GatewayModel>)
  if (buildOrdinaryCall(model) === undefined) continue
  const { wanted, least } = await captureAdmission(model)
  if (wanted > 0n)
    console.log(
      `| ${listed.id} | ${formatRoundedUp(wanted)} | ${formatRoundedUp(computeSmallestSum(1, wanted, least))} | ${formatRoundedUp(computeSmallestSum(8, wanted, least))} |`,
    )
}
await lab.close()
process.exit(0)
