import { expect } from 'vitest'
import { transact } from '#platform/server/database/transact.ts'
import type { Db, Sql } from '#platform/server/database/db.ts'
import type { Setting } from '#platform/server/settings.ts'
import type { Deps } from '#platform/server/feature.ts'
import { createId, createRandomCode } from '#platform/shared/ids.ts'
import { createTestPayments } from '#features/payments/server/builders.ts'
import { selectRewardAccounts } from '#features/wallet/server/builders.ts'
import { readRewardBalance, verifyLedger } from '#features/wallet/server/door.ts'
import { recordPayer } from '../builders.ts'
import { ensureCodes } from '../codes/own-code.ts'
import { insertRelation } from '../data.ts'
import { endWaitingPeriods } from '../rewards/data.ts'
import { reconcileInvitee } from '../rewards/reconcile-invitee.ts'
import { releaseDueRewards } from '../rewards/release-due.ts'
import { formatUsd } from '#platform/shared/money.ts'

type TestDb = Db & { readonly owner: Sql }

export const TEST_OPERATOR = { kind: 'operator', id: 'test' } as const
export const ONE_USD = 1_000_000_000n

/** Test helpers for inviters, invitees and the waiting period of rewards. */
export function createInvitationHelpers(db: TestDb, deps: Deps) {
  const cash = createTestPayments(db.owner)
  /** Adds an invitee of `inviterId` that raises no signal. */
  const bring = async (inviterId: string, inviteeId = createId('usr'), ruleVersion = 1): Promise<string> => {
    const { made } = await ensureCodes(db, inviterId)
    await transact(db, TEST_OPERATOR, (tx) => insertRelation(tx, { inviteeId, inviterId, code: made, way: 'signup', ruleVersion }))
    return inviteeId
  }
  const pay: typeof cash.pay = async (userId, ...more) => {
    await recordPayer(db.owner, userId)
    return cash.pay(userId, ...more)
  }
  return {
    ...cash,
    pay,
    bring,
    /** Adds many relations at once, with random codes, for histories of 100,000 people. */
    bringAll: (pairs: readonly (readonly [inviterId: string, inviteeId: string])[], ruleVersion: number) =>
      db.owner.query(
        `with brought as (select * from unnest($1::text[], $2::text[], $3::text[]) as b (inviter_id, invitee_id, code)),
        codes as (insert into invitations_codes (code, user_id, chosen) select distinct on (inviter_id) code, inviter_id, false from brought returning code, user_id)
        insert into invitations_relations (invitee_id, inviter_id, code, way, rule_version, in_cycle)
        select invitee_id, inviter_id, c.code, 'signup', $4, false from brought join codes c on c.user_id = inviter_id`,
        [pairs.map(([id]) => id), pairs.map(([, id]) => id), pairs.map(() => createRandomCode(10)), ruleVersion],
      ),
    reconcile: (inviteeId: string) => reconcileInvitee(deps, inviteeId),
    /** Adds an invitee who paid, with the reward. */
    paidBy: async (inviterId: string, nano = 20n * ONE_USD): Promise<{ inviteeId: string; orderNo: string }> => {
      const inviteeId = await bring(inviterId)
      const orderNo = await pay(inviteeId, nano)
      await reconcileInvitee(deps, inviteeId)
      return { inviteeId, orderNo }
    },
    /** Ends the waiting period of 14 days, for all rewards or those of the given invitees. */
    ripen: async (inviteeIds?: readonly string[]) => {
      await endWaitingPeriods(db.owner, inviteeIds)
      await releaseDueRewards(deps)
    },
    states: (inviterId: string) => formatRewards(db, inviterId),
    standing: (inviterId: string) => readRewardBalance(db, inviterId),
    set: <T>(setting: Setting<T>, value: T) => transact(db, TEST_OPERATOR, (tx) => deps.settings.set(tx, setting, value)),
  }
}

/**
 * Checks the invariants of every history: each reward account is the sum of its open entries, each payout the sum of its entries, each budget
 * that of its live rewards.
 */
export async function expectRewardSums(db: Sql & { readonly owner: Sql }): Promise<void> {
  const wrong = await db.owner.query(
    `select 'payout' as what, p.payout_no as id from invitations_payouts p left join invitations_entries e on e.payout_id = p.id
      group by p.id having case p.state when 'done' then p.amount_nano else 0 end <> coalesce(sum(e.amount_nano), 0)
    union all select 'reward', r.id::text from invitations_rewards r left join invitations_entries e on e.reward_id = r.id group by r.id
      having coalesce(sum(e.amount_nano), 0) <> case when r.state in ('available', 'paid') then r.amount_nano else 0 end
    union all select 'budget', b.scope from invitations_budgets b left join (
      select month, scope, sum(amount_nano) as used from invitations_rewards r, lateral (values ('programme'), ('user:' || r.inviter_id)) as of (scope)
      where state not in ('refused', 'clawed_back') group by month, scope) u using (month, scope) where b.used_nano <> coalesce(u.used, 0)`,
  )
  expect(wrong).toEqual([])
  const open = await db.owner.query<{ userId: string; sum: bigint }>(
    'select user_id, coalesce(sum(amount_nano) filter (where payout_id is null), 0)::bigint as sum from invitations_entries group by user_id',
  )
  const accounts = await selectRewardAccounts(db.owner)
  expect(open.filter(({ userId, sum }) => sum !== (accounts.get(userId) ?? 0n))).toEqual([])
  const known = new Set(open.map(({ userId }) => userId))
  expect([...accounts].filter(([userId, posted]) => posted !== 0n && !known.has(userId))).toEqual([])
  expect((await verifyLedger(db)).problems).toEqual([])
}

/** A reward's state as its owner sees it. */
async function formatRewards(db: Sql, inviterId: string): Promise<string[]> {
  const rows = await db.query<{ kind: string; amountNano: bigint; state: string; reason: string }>(
    'select kind, amount_nano, state, reason from invitations_rewards where inviter_id = $1 order by id',
    [inviterId],
  )
  return rows.map(({ kind, amountNano, state, reason }) => `${kind} ${formatUsd(amountNano)} ${state}${reason ? ` ${reason}` : ''}`)
}
