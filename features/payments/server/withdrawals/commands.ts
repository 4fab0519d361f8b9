import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { subtractNano, formatUsd } from '#platform/shared/money.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { schedulePayoutQuery, selectWithdrawalByNo } from '../set-aside/data.ts'
import { selectPayoutAccount } from './data-account.ts'
import type { WithdrawalRow } from '../set-aside/data.ts'
import { holdWithdrawal, releaseHold } from './hold/hold.ts'
import { isOnHold } from './hold/on-hold.ts'
import { decideWithdrawal } from './verbs/decide-withdrawal.ts'

const input = z.object({ withdrawalNo: z.string().min(1).max(40) })
type WithdrawalInput = z.output<typeof input>
const requireWithdrawal = async (sql: Sql, { withdrawalNo }: WithdrawalInput): Promise<WithdrawalRow> =>
  (await selectWithdrawalByNo(sql, withdrawalNo)) ?? fail('WITHDRAWAL_NOT_FOUND')
const subject = async ({ db }: Deps, named: WithdrawalInput) => `withdrawal:${(await requireWithdrawal(db, named)).withdrawalNo}`
const weigh = async ({ db }: Deps, named: WithdrawalInput) => {
  const { userId, amountNano: amount } = await requireWithdrawal(db, named)
  return { userId, amount }
}

/** Releasing a withdrawal that still waits for approval does not send it, so it weighs 0. */
const weighRelease = async (deps: Deps, named: WithdrawalInput) => {
  const row = await requireWithdrawal(deps.db, named)
  return { userId: row.userId, amount: row.state === 'approving' ? 0n : row.amountNano }
}

/** Figures for an approval decision; the payee stays masked. */
async function look({ tx }: CommandExecution, named: WithdrawalInput) {
  const row = await requireWithdrawal(tx, named)
  const { available, held, receivable } = await readBalance(tx, row.userId)
  const account = await selectPayoutAccount(tx, row.userId)
  return {
    ...{
      state: row.state,
      amount: formatUsd(row.amountNano),
      available: formatUsd(available),
      held: formatUsd(held),
      debt: formatUsd(subtractNano(0n, receivable)),
    },
    ...{
      payeeChangedAt: account?.changedAt ? toShanghaiTime(account.changedAt) : null,
      onHold: isOnHold(row),
      holdEnds: row.heldUntil?.toISOString() ?? null,
    },
  }
}
const common = { permission: 'withdrawals.decide', input, subject, weigh, look, loose: ['available', 'held', 'holdEnds'] } as const

export const withdrawalCommands = [
  defineCommand({
    ...common,
    money: 'counted',
    name: 'withdrawal.approve',
    summary: 'Lets a withdrawal that waits for a person leave',
    run: async ({ deps, by, reason }, { withdrawalNo }) => ({
      state: (await decideWithdrawal(deps, by, { withdrawalNo, decision: 'approve', why: reason })).state,
    }),
  }),
  defineCommand({
    ...common,
    money: 'own',
    name: 'withdrawal.reject',
    summary: 'Refuses a withdrawal; the money is available again and its customer hears of it',
    run: async ({ deps, by, reason }, { withdrawalNo }) => ({
      state: (await decideWithdrawal(deps, by, { withdrawalNo, decision: 'reject', why: reason })).state,
    }),
  }),
  defineCommand({
    ...common,
    input: input.extend({ holdDays: z.int().min(1).max(60).optional() }),
    money: 'own',
    name: 'withdrawal.hold',
    summary:
      'Stops a withdrawal that has not left, for some days or until it is released: it is neither approved nor paid; its customer reads that it is looked at',
    run: async ({ tx, by, reason }, { withdrawalNo, holdDays }) => ({
      state: (await holdWithdrawal(tx, by, { withdrawalNo, days: holdDays, why: reason })).state,
    }),
    undo: ({ withdrawalNo }) => ({ name: 'withdrawal.release', input: { withdrawalNo } }),
  }),
  defineCommand({
    ...common,
    money: 'counted',
    weigh: weighRelease,
    name: 'withdrawal.release',
    summary: 'Lets a withdrawal on hold continue from its former state',
    run: async ({ tx, by, reason }, { withdrawalNo }) => ({ state: (await releaseHold(tx, by, { withdrawalNo, why: reason })).state }),
  }),
  defineCommand({
    ...common,
    bulk: true,
    money: 'own',
    name: 'withdrawal.recheck',
    summary:
      'Asks the payout’s vendor now what became of a withdrawal: one that came back is returned by its word alone, one that it does not know is sent again under the same number',
    run: async ({ tx, reason }, { withdrawalNo }) => {
      const row = (await schedulePayoutQuery(tx, withdrawalNo)) ?? fail('WITHDRAWAL_DECIDED')
      await tx.audit('withdrawal.rechecked', `withdrawal:${withdrawalNo}`, { state: row.state, reason })
      return {}
    },
  }),
] as const
