import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { subtractNano, sumNano, formatUsd } from '#platform/shared/money.ts'
import { toCallPrices } from '../../catalogue/price-classes.ts'
import { buildUsageLines } from '../../hot/settlement/pricing.ts'
import { NO_USAGE } from '../../hot/usage/usage.ts'
import { correctCalls } from '../corrections/data-corrections.ts'
import type { Correction } from '../corrections/data-corrections.ts'
import { selectPriceVersion } from '../sweeping/data-sweep.ts'
import { queryVendorFigures } from './query-vendors.ts'
import { finalizeCharges, selectUnsureCall, selectUnsureCalls, selectUnsureSums } from './data-repairs.ts'
import type { RepairScope, UnsureCall } from './data-repairs.ts'

/** Limit on calls per run; the next run handles the rest. */
const MAX_CALLS = 2000

const time = z.iso.datetime({ offset: true })
const scopeInput = z.object({ node: z.string().max(60).default(''), from: time.default('2026-01-01T00:00:00Z'), to: time.default('2100-01-01T00:00:00Z') })
type Scope = z.output<typeof scopeInput>
const toRepairScope = ({ node, from, to }: Scope): RepairScope => ({ node, from: new Date(from), to: new Date(to) })

async function previewScope(sql: Sql, scope: RepairScope): Promise<CommandFacts> {
  const { provisional, held, zero } = await selectUnsureSums(sql, scope)
  return { provisional, heldCharged: formatUsd(held), sweptToZero: zero }
}

const permission = 'payments.decide'

/**
 * Repairs calls: queries vendors before taking locks, shows the faults before and after, corrects calls with a known figure and leaves the
 * rest.
 */
const repairCalls = defineCommand({
  name: 'calls.repair',
  summary: 'Asks vendors about calls that were swept to zero or charged what they held, and corrects those whose real figure is known',
  permission,
  money: 'own',
  input: scopeInput,
  subject: async (_deps, { node }) => (node ? `node:${node}` : 'calls:swept'),
  weigh: async ({ db }, input) => {
    const { provisional, held, zero } = await selectUnsureSums(db, toRepairScope(input))
    return { amount: held, rows: provisional + zero }
  },
  gather: async (deps, input) => queryVendorFigures(deps, await selectUnsureCalls(deps.db, toRepairScope(input), MAX_CALLS)),
  look: async ({ tx }, input) => previewScope(tx, toRepairScope(input)),
  // calls are swept meanwhile; corrections still compare to the nano-dollar
  loose: ['provisional', 'heldCharged', 'sweptToZero'],
  run: async ({ tx, by, reason, gathered }, { node }) => {
    const done = await correctCalls(tx, 'vendor', { by: `operator:${by.id}`, corrections: gathered as readonly Correction[] })
    const corrected = done.filter(({ outcome }) => outcome === 'corrected')
    const up = corrected.filter(({ difference }) => difference > 0n)
    const down = corrected.filter(({ difference }) => difference < 0n)
    const facts = {
      corrected: corrected.length,
      confirmed: done.filter(({ outcome }) => outcome === 'equal').length,
      chargedLater: formatUsd(sumNano(up.map(({ difference }) => difference))),
      givenBack: formatUsd(subtractNano(0n, sumNano(down.map(({ difference }) => difference)))),
    }
    await tx.audit('calls.repaired', node ? `node:${node}` : 'calls:swept', { ...facts, reason })
    return facts
  },
})

/** A count of tokens. The pages omit an empty field, which counts as zero. */
const tokens = z.coerce.number().int().min(0).max(2_000_000_000).default(0)
const figureInput = z.object({ callId: z.string().min(1).max(60), input: tokens, cached: tokens, output: tokens, reasoning: tokens })
type Figure = z.output<typeof figureInput>

const getUnsureCall = async (sql: Sql, callId: string): Promise<UnsureCall> => (await selectUnsureCall(sql, callId)) ?? fail('NOT_FOUND')

/** Prices counts as the vendors' consoles show them: input includes cache reads, output includes reasoning. */
async function priceFigure(sql: Sql, call: UnsureCall, { input, cached, output, reasoning }: Figure): Promise<Correction> {
  if (cached > input || reasoning > output) fail('BAD_INPUT', { fields: [cached > input ? 'cached' : 'reasoning'] })
  const prices = toCallPrices(call.priceVersion, (await selectPriceVersion(sql, call.priceVersion)) ?? fail('NOT_FOUND'))
  const usage = { ...NO_USAGE, input: input - cached, cachedInput: cached, output: output - reasoning, reasoning }
  const lines = buildUsageLines(prices, usage, () => undefined)
  return {
    ...{ accountId: call.accountId, callId: call.callId, startedAt: call.startedAt },
    figures: {
      ...{ provenance: 'upstream', lines, amount: sumNano(lines.map(({ amount }) => amount)) },
      ...{ inputTokens: input, cachedTokens: cached, outputTokens: output, reasoningTokens: reasoning },
    },
  }
}

const figureCommand = defineCommand({
  name: 'call.figure',
  summary: 'Charges a call that was swept or charged its hold by the token counts that the vendor’s console shows for it; the difference is posted',
  permission,
  money: 'counted',
  input: figureInput,
  subject: async ({ db }, { callId }) => `call:${(await getUnsureCall(db, callId)).callId}`,
  weigh: async ({ db }, input) => {
    const call = await getUnsureCall(db, input.callId)
    const { figures } = await priceFigure(db, call, input)
    const difference = subtractNano(figures.amount!, call.held)
    return { amount: difference < 0n ? subtractNano(0n, difference) : difference, userId: call.userId }
  },
  look: async ({ tx }, { callId }) => {
    const call = await selectUnsureCall(tx, callId)
    return { open: call !== undefined, ...(call ? { model: call.model, charged: formatUsd(call.held) } : {}) }
  },
  run: async ({ tx, by, reason }: CommandExecution, input) => {
    const correction = await priceFigure(tx, await getUnsureCall(tx, input.callId), input)
    const [done] = await correctCalls(tx, 'operator', { by: `operator:${by.id}`, corrections: [correction] })
    if (done?.outcome !== 'corrected' && done?.outcome !== 'equal') fail('NOT_FOUND')
    await tx.audit('call.corrected', `call:${input.callId}`, { amount: formatUsd(correction.figures.amount!), difference: formatUsd(done!.difference), reason })
    return { amount: formatUsd(correction.figures.amount!), difference: formatUsd(done!.difference) }
  },
})

const keepChargesCommand = defineCommand({
  name: 'calls.keep',
  summary: 'Ends the work on a silent node’s provisional charges: no figure can be had, what was held stays charged',
  permission,
  money: 'own',
  input: z.object({ node: z.string().min(1).max(60) }),
  subject: async (_deps: Deps, { node }) => `node:${node}`,
  look: async ({ tx }, { node }) => previewScope(tx, toRepairScope(scopeInput.parse({ node }))),
  run: async ({ tx, reason }, { node }) => {
    const kept = await finalizeCharges(tx, node)
    if (!kept) fail('NOT_FOUND')
    await tx.audit('calls.kept', `node:${node}`, { calls: kept, reason })
    return { kept }
  },
})

export const repairCommands = [repairCalls, figureCommand, keepChargesCommand] as const
