import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { sumNano, formatUsd } from '#platform/shared/money.ts'
import { readDebt, settleDebts, listUnpaidDebts } from '#features/wallet/server/door.ts'
import { selectWithdrawalsInStates } from '../set-aside/data.ts'

/** Batch size; the command is run again for the rest. */
const MAX_ROWS = 500
const NOT_SENT = ['requested', 'approving', 'approved'] as const

/** Debts of the balance and of cards beside credit that should have paid them, and debtors' withdrawals that have not left. */
async function selectFindings(sql: Sql) {
  const unpaid = await listUnpaidDebts(sql, MAX_ROWS)
  const waiting = await selectWithdrawalsInStates(sql, NOT_SENT, MAX_ROWS)
  const owing: string[] = []
  for (const { userId, withdrawalNo: no } of waiting) if ((await readDebt(sql, userId)) > 0n) owing.push(no)
  return { unpaid, owing }
}

export const debtCommands = [
  defineCommand({
    name: 'debts.repair',
    summary: 'Pays debts that an older version left beside credit, from that credit; withdrawals of debtors that wait pay theirs when they leave',
    permission: 'payments.repair',
    money: 'own',
    input: z.object({}),
    subject: async () => 'debts:all',
    look: async ({ tx }) => {
      const { unpaid, owing } = await selectFindings(tx)
      return { debtors: unpaid.length, payable: formatUsd(sumNano(unpaid.map(({ payable }) => payable))), waitingWithdrawals: owing.length }
    },
    // Members spend and top up meanwhile; each payment is independent.
    loose: ['debtors', 'payable', 'waitingWithdrawals'],
    run: async ({ tx, reason }) => {
      const { unpaid, owing } = await selectFindings(tx)
      for (const { payer, payable } of unpaid) {
        const left = await settleDebts(tx, payer.slice('user:'.length))
        await tx.audit('debt.repaired', payer, { paid: formatUsd(payable), left: formatUsd(left), reason })
      }
      return { repaired: unpaid.length, paid: formatUsd(sumNano(unpaid.map(({ payable }) => payable))), stopped: owing.join(' ').slice(0, 500) }
    },
  }),
] as const
