import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { insertPrice } from '../catalogue/data.ts'
import { PRICE_CLASSES } from '../catalogue/price-classes.ts'
import type { ClassName } from '../catalogue/price-classes.ts'
import { countModelCustomers, cancelPlannedPrices, isPlanned, lockPrices, selectPlanPrices, selectPricesAt, selectVendorPricesAt } from './data-prices.ts'
import { applyNewPrices, isBelowVendor, buildClassLines } from './price-plan.ts'
import type { NewPrices } from './price-plan.ts'

const price = z.string().regex(/^\d{1,6}(\.\d{1,9})?$/)
const title = z.string().trim().min(1).max(80)
const DAYS = 30
/** Minimum time from the plan to its start, so that processes and customers are notified before. */
const LEAD_MS = 60_000

const planInput = z.object({
  title,
  from: z.iso.datetime({ offset: true }),
  changes: z
    .array(z.object({ model: z.string().min(1).max(200), prices: z.partialRecord(z.enum(PRICE_CLASSES as [ClassName, ...ClassName[]]), price) }))
    .min(1)
    .max(200),
  /** The operator confirms a price below the vendor's list price. */
  acceptLoss: z.boolean().default(false),
})
type Plan = z.output<typeof planInput>
const toPlanSource = (name: string) => `plan:${name}`
const listPlanModels = ({ changes }: Plan) => changes.map(({ model }) => model)

/** Prices of the plan's classes at its start time, and the number of customers affected. */
async function previewPlan({ tx, deps }: CommandExecution, input: Plan): Promise<CommandFacts> {
  const rows = new Map((await selectPricesAt(tx, listPlanModels(input), new Date(input.from))).map((row) => [row.modelId, row]))
  const since = toShanghaiDay(new Date(deps.clock.now().getTime() - DAYS * 86_400_000))
  const facts: Record<string, string | number> = { customers: await countModelCustomers(tx, listPlanModels(input), since) }
  for (const { model, prices } of input.changes)
    for (const name of Object.keys(prices) as ClassName[])
      facts[`${model} ${name}`] = formatUsd(BigInt(rows.get(model)?.classes[PRICE_CLASSES.indexOf(name)] ?? 0n))
  return facts
}

async function planPrices({ deps, tx, reason }: CommandExecution, input: Plan): Promise<CommandFacts> {
  const from = new Date(input.from)
  if (from.getTime() < deps.clock.now().getTime() + LEAD_MS) fail('PRICE_TOO_SOON')
  if (new Set(listPlanModels(input)).size !== input.changes.length) fail('BAD_INPUT', { fields: ['changes'] })
  await lockPrices(tx)
  if (await isPlanned(tx, toPlanSource(input.title))) fail('PRICE_PLANNED', { title: input.title })
  const [now, vendor] = [await selectPricesAt(tx, listPlanModels(input), from), await selectVendorPricesAt(tx, listPlanModels(input), from)]
  const losing: string[] = []
  let changed = 0
  for (const { model, prices } of input.changes) {
    const row = now.find((each) => each.modelId === model) ?? fail('NOT_FOUND', { model })
    const wish = prices as NewPrices
    const lines = buildClassLines(
      row,
      vendor.find((each) => each.modelId === model),
      wish,
    )
    if (lines.some((line) => wish[line.name] !== undefined && isBelowVendor(line))) losing.push(model)
    changed += lines.filter((line) => line.now !== line.then).length
    const made = { modelId: model, longAbove: row.longAbove, classes: applyNewPrices(row, wish) }
    const texts = (stored: (string | null)[] | null) => stored?.map((each) => (each === null ? null : BigInt(each))) ?? null
    await insertPrice(tx, { ...made, longClasses: texts(row.longClasses), factors: texts(row.factors) }, { validFrom: from, source: toPlanSource(input.title) })
  }
  if (!changed) fail('BAD_INPUT', { fields: ['changes'] })
  if (losing.length && !input.acceptLoss) fail('PRICE_BELOW_COST', { models: losing.join(', ') })
  await tx.audit('prices.planned', 'prices', { title: input.title, from: input.from, models: listPlanModels(input), belowCost: losing, reason })
  return { models: input.changes.length, changed, belowCost: losing.length }
}

export const priceCommands = [
  defineCommand({
    name: 'price.plan',
    summary: 'Plans prices from a time on; until then they can be cancelled',
    permission: 'prices.change',
    input: planInput,
    subject: async () => 'prices',
    look: previewPlan,
    loose: ['customers'],
    run: planPrices,
    undo: ({ title: name }) => ({ name: 'price.cancel', input: { title: name } }),
  }),
  defineCommand({
    name: 'price.cancel',
    summary: 'Cancels planned prices that are not in force yet',
    permission: 'prices.change',
    input: z.object({ title }),
    subject: async () => 'prices',
    look: async ({ tx }, { title: name }) => ({ planned: (await selectPlanPrices(tx, toPlanSource(name))).length }),
    run: async ({ deps, tx, by, reason }, { title: name }) => {
      await lockPrices(tx)
      const rows = await selectPlanPrices(tx, toPlanSource(name))
      if (!rows.length) fail('NOT_FOUND')
      if (rows[0]!.validFrom <= deps.clock.now()) fail('PRICE_HOLDS')
      await cancelPlannedPrices(
        tx,
        rows.map(({ version }) => version),
        by.id,
      )
      await tx.audit('prices.cancelled', 'prices', { title: name, models: rows.map(({ modelId }) => modelId), reason })
      return { models: rows.length }
    },
  }),
] as const
