import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createSettings } from '#platform/server/settings.ts'
import { fail } from '#platform/shared/errors.ts'
import { applyFactors } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { findContact, resolveUserId } from '#features/account/server/door.ts'
import { lockPrices, selectPricesAt, selectShownModels, selectVendorPricesAt } from './data-prices.ts'
import { isBelowVendor, buildClassLines } from './price-plan.ts'
import { priceNoticeDays } from '../settings.ts'
import { cancelTerms, insertTerm, selectTermsAt, selectTermsByTitle } from '../catalogue/data-terms.ts'
import type { TermRow } from '../catalogue/data-terms.ts'
import { formatPercentShare, parsePercentShare } from '../terms/percent.ts'
import { formatMailModelName, sendTermsMail, TERMS_MAILS } from '../terms/terms-mails.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

const LIST_MILLIONTHS = 1_000_000
const DAY_MS = 86_400_000
/** Minimum time from the plan to its start, so that all processes are notified before. */
const LEAD_MS = 60_000
const ALL_MODELS = '*'

const user = z.string().min(1).max(254)
const title = z.string().trim().min(1).max(80)
const termsInput = z.object({
  user,
  title,
  from: z.iso.datetime({ offset: true }),
  /** `*` means all models without a line; 100 is the list price itself. */
  changes: z
    .array(
      z.object({
        model: z.string().min(1).max(200),
        percent: z
          .string()
          .regex(/^\d{1,3}(\.\d{1,2})?$/)
          .refine((text) => Number(text) >= 1 && Number(text) <= 100),
      }),
    )
    .min(1)
    .max(100),
  /** The operator confirms that a model's price is below the vendor's list price. */
  acceptLoss: z.boolean().default(false),
})
type Terms = z.output<typeof termsInput>
type UserInput = Pick<Terms, 'user'>

const resolveUser = async <I extends UserInput>({ db }: Deps, input: I): Promise<I> => ({ ...input, user: await resolveUserId(db, input.user) })
const common = {
  permission: 'prices.change',
  subject: async (_deps: Deps, input: UserInput) => `user:${input.user}`,
  weigh: async (_deps: Deps, input: UserInput) => ({ userId: input.user }),
} as const

/** The customer's share of a model's list price, in millionths; `*` means all other models. */
function findShare(terms: readonly TermRow[], model: string): number {
  const of = (id: string | null) => terms.find(({ modelId }) => modelId === id)?.millionths
  return (model === ALL_MODELS ? undefined : of(model)) ?? of(null) ?? LIST_MILLIONTHS
}

async function previewTerms({ tx }: CommandExecution, { user: userId, from, changes }: Terms): Promise<CommandFacts> {
  const terms = await selectTermsAt(tx, userId, new Date(from))
  return Object.fromEntries(changes.map(({ model }) => [model === ALL_MODELS ? 'allModels' : model, `${formatPercentShare(findShare(terms, model))}%`]))
}

async function planTerms(act: CommandExecution, input: Terms): Promise<CommandFacts> {
  const { deps, tx, by, reason } = act
  const { user: userId, changes } = input
  const from = new Date(input.from)
  const now = deps.clock.now().getTime()
  if (from.getTime() < now + LEAD_MS) fail('PRICE_TOO_SOON')
  if (new Set(changes.map(({ model }) => model)).size !== changes.length) fail('BAD_INPUT', { fields: ['changes'] })
  await lockPrices(tx)
  if ((await selectTermsByTitle(tx, userId, input.title)).length) fail('PRICE_PLANNED', { title: input.title })
  const losing = await listModelsAtLoss(tx, input)
  if (losing.length && !input.acceptLoss) fail('PRICE_BELOW_COST', { models: losing.join(', ') })
  const before = await selectTermsAt(tx, userId, from)
  const rising = changes.filter(({ model, percent }) => parsePercentShare(percent) > findShare(before, model)).map(({ model }) => model)
  // reads on the same connection: waiting for a second one while holding the first can deadlock a full pool
  const days = await createSettings(tx).get(priceNoticeDays)
  if (rising.length && from.getTime() < now + days * DAY_MS) fail('PRICE_NOTICE', { days })
  for (const { model, percent } of changes)
    await insertTerm(tx, {
      ...{ userId, modelId: model === ALL_MODELS ? null : model, validFrom: from, millionths: parsePercentShare(percent) },
      ...{ title: input.title, rises: rising.includes(model), madeBy: by.id },
    })
  if (rising.length) await mailOwnPriceRise(act, input, before)
  await tx.audit('prices.terms-planned', `user:${userId}`, { title: input.title, from: input.from, changes, rising, belowCost: losing, reason })
  return { models: changes.length, rising: rising.length, belowCost: losing.length }
}

/** Models whose price for the customer is below the vendor's list price. Throws NOT_FOUND for an unknown model. */
async function listModelsAtLoss(tx: Tx, { from, changes }: Terms): Promise<string[]> {
  const shown = (await selectShownModels(tx)).map(({ modelId }) => modelId)
  for (const { model } of changes) if (model !== ALL_MODELS && !shown.includes(model)) fail('NOT_FOUND', { model })
  const at = new Date(from)
  const [list, vendor] = [await selectPricesAt(tx, shown, at), await selectVendorPricesAt(tx, shown, at)]
  const wish = new Map(changes.map(({ model, percent }) => [model, parsePercentShare(percent)]))
  return list
    .filter((row) => {
      const share = wish.get(row.modelId) ?? wish.get(ALL_MODELS)
      if (share === undefined || share === LIST_MILLIONTHS) return false
      const lines = buildClassLines(
        row,
        vendor.find(({ modelId }) => modelId === row.modelId),
        {},
      )
      return lines.some(({ now, vendor: theirs }) => isBelowVendor({ then: applyFactors(now, [BigInt(share)]), vendor: theirs }))
    })
    .map(({ modelId }) => modelId)
}

async function mailOwnPriceRise(
  { deps, tx }: CommandExecution,
  { user: userId, title: name, from, changes }: Terms,
  before: readonly TermRow[],
): Promise<void> {
  const lang = (await findContact(tx, userId))?.lang ?? DEFAULT_LANG
  const line = ({ model, percent }: Terms['changes'][number]) =>
    `${formatMailModelName(lang, model === ALL_MODELS ? null : model)}: ${formatPercentShare(findShare(before, model))}% → ${formatPercentShare(parsePercentShare(percent))}%`
  await sendTermsMail(deps, tx, {
    userId,
    template: TERMS_MAILS.rises,
    dedupe: `gateway.terms-rise:${userId}:${name}`,
    values: {
      from: toShanghaiTime(new Date(from)),
      changes: changes.map(line).join('\n'),
    },
  })
}

const cancelInput = z.object({ user, title })

async function cancelTermsPlan({ deps, tx, by, reason }: CommandExecution, { user: userId, title: name }: z.output<typeof cancelInput>): Promise<CommandFacts> {
  await lockPrices(tx)
  const rows = (await selectTermsByTitle(tx, userId, name)).filter(({ droppedAt }) => droppedAt === null)
  const [row = fail('NOT_FOUND')] = rows
  if (row.validFrom <= deps.clock.now()) fail('PRICE_HOLDS')
  await cancelTerms(tx, userId, { title: name, by: by.id, at: deps.clock.now() })
  if (rows.some(({ rises }) => rises))
    await sendTermsMail(deps, tx, {
      userId,
      template: TERMS_MAILS.stays,
      dedupe: `gateway.terms-stay:${userId}:${name}`,
      values: { from: toShanghaiTime(row.validFrom) },
    })
  await tx.audit('prices.terms-cancelled', `user:${userId}`, { title: name, models: rows.map(({ modelId }) => modelId ?? ALL_MODELS), reason })
  return { models: rows.length }
}

export const termsCommands = [
  defineCommand({
    ...common,
    name: 'price.terms',
    summary: 'Plans a customer’s own prices, as a share of the list, from a time on; customers are notified of a rise in advance',
    input: termsInput,
    resolve: resolveUser,
    look: previewTerms,
    run: planTerms,
    undo: ({ user: userId, title: name }) => ({ name: 'price.terms-cancel', input: { user: userId, title: name } }),
  }),
  defineCommand({
    ...common,
    name: 'price.terms-cancel',
    summary: 'Cancels a customer’s planned prices that are not in force yet',
    input: cancelInput,
    resolve: resolveUser,
    look: async ({ tx }, { user: userId, title: name }) => ({
      planned: (await selectTermsByTitle(tx, userId, name)).filter(({ droppedAt }) => droppedAt === null).length,
    }),
    run: cancelTermsPlan,
  }),
] as const
