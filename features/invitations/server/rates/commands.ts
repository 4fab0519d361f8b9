import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import { usdAmount } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { parseUsd, formatUsd, floorToCents } from '#platform/shared/money.ts'
import { getNextDay, toShanghaiDay } from '#platform/shared/time.ts'
import { resolveUserId } from '#features/account/server/door.ts'
import { lockInviter } from '../data.ts'
import { endRate, insertRate, selectRates } from './data.ts'

const MAX_DAYS = 730
const DAY_MS = 86_400_000

const user = z.string().min(1).max(254)
const rateInput = z.object({
  user,
  /** For each person who counts; the rules' reward, tiers included, does not hold meanwhile. */
  reward: usdAmount.refine((text) => parseUsd(text) > 0n && floorToCents(parseUsd(text)) === parseUsd(text)),
  /** Days of Shanghai, both included. */
  ...{ from: z.iso.date(), until: z.iso.date() },
})
type Rate = z.output<typeof rateInput>

const startOfDay = (day: string) => new Date(`${day}T00:00:00+08:00`)

async function resolveRate({ db, clock }: Deps, input: Rate): Promise<Rate> {
  const end = startOfDay(getNextDay(input.until)).getTime()
  if (input.until < input.from || end <= clock.now().getTime() || end - startOfDay(input.from).getTime() > MAX_DAYS * DAY_MS)
    fail('BAD_INPUT', { fields: ['until'] })
  return { ...input, user: await resolveUserId(db, input.user) }
}

/** The rate that holds, and the next. */
async function look({ tx }: CommandExecution, { user: inviterId }: { readonly user: string }): Promise<CommandFacts> {
  const rates = await selectRates(tx, inviterId)
  const [now, next] = [rates.find(({ state }) => state === 'holds'), rates.findLast(({ state }) => state === 'planned')]
  return {
    ownRate: now ? formatUsd(now.rewardNano) : null,
    ownRateUntil: now ? toShanghaiDay(now.validUntil.getTime() - 1) : null,
    nextRate: next ? formatUsd(next.rewardNano) : null,
  }
}
const common = {
  permission: 'rewards.decide',
  subject: async (_deps: Deps, input: { readonly user: string }) => `user:${input.user}`,
  weigh: async (_deps: Deps, input: { readonly user: string }) => ({ userId: input.user }),
  look,
} as const

export const rateCommands = [
  defineCommand({
    ...common,
    name: 'reward.rate',
    summary: 'A negotiated reward for one inviter, from a day until a day; rewards that have arisen keep theirs, and the caps of the rules hold',
    input: rateInput,
    resolve: resolveRate,
    run: async ({ tx, by, reason }, { user: inviterId, reward, from, until }) => {
      await lockInviter(tx, inviterId)
      await insertRate(tx, { inviterId, reward: parseUsd(reward), from: startOfDay(from), until: startOfDay(getNextDay(until)), reason, by: by.id })
      await tx.audit('invitation.rate-set', `user:${inviterId}`, { reward, from, until, reason })
      return {}
    },
  }),
  defineCommand({
    ...common,
    name: 'reward.rate-end',
    summary: 'Ends a negotiated reward now, or takes it back before it begins',
    input: z.object({ user, rateId: z.string().regex(/^\d{1,18}$/) }),
    resolve: async ({ db }, input) => ({ ...input, user: await resolveUserId(db, input.user) }),
    run: async ({ tx, by, reason }, { user: inviterId, rateId }) => {
      await lockInviter(tx, inviterId)
      const found = (await selectRates(tx, inviterId)).find(({ id }) => String(id) === rateId) ?? fail('NOT_FOUND')
      if (!(await endRate(tx, found.id, by.id))) fail('NOT_FOUND')
      await tx.audit('invitation.rate-ended', `user:${inviterId}`, { rateId, reward: formatUsd(found.rewardNano), reason })
      return {}
    },
  }),
] as const
