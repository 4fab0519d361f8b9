import type { Blocker, Deps, PersonalData } from '#platform/server/feature.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { invitationTexts } from '../texts.ts'
import { selectCodes } from './data.ts'
import { listRewards, selectInvitationSums } from './rewards/data-lists.ts'

const ROWS = 5_000

/** Rewards that could still be moved or withdrawn. */
async function blockersOf({ db }: Deps, userId: string, lang: Lang): Promise<readonly Blocker[]> {
  const { available } = await selectInvitationSums(db, userId)
  if (available <= 0n) return []
  return [{ code: 'rewards', text: fill(invitationTexts[lang].close_rewards, { amount: formatUsd(available) }), path: '/invite-record' }]
}

async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const rewards = await listRewards(db, userId, { filter: 'all', limit: ROWS })
  return {
    codes: (await selectCodes(db, userId)).map(({ code }) => code),
    rewards: rewards.map((row) => ({ kind: row.kind, amount: formatUsd(row.amountNano), state: row.state, createdAt: row.createdAt, orderNo: row.orderNo })),
  }
}

export const invitationsPersonal: PersonalData = { blockersOf, exportOf }
