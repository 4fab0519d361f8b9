import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import { compensationInput } from '../../contract-bulk.console.ts'
import { insertBulk, insertItems } from '../bulk/data.ts'
import { selectCompensatedCalls } from './choose-calls.ts'
import { COMPENSATION_KIND } from './words.ts'

/** Figures of the selection. They must be unchanged when the command runs, so that it grants only what an approver saw. */
async function lookAtSelection({ tx }: CommandExecution, input: Parameters<typeof selectCompensatedCalls>[1]) {
  const { calls, customers, total, already, byCustomer } = await selectCompensatedCalls(tx, input)
  return { calls: calls.length, customers, total: formatUsd(total), already, largest: formatUsd(byCustomer[0]?.amount ?? 0n) }
}

export const compensationCommand = defineCommand({
  name: COMPENSATION_KIND,
  summary: 'Compensates the calls that a query finds: credit with an expiry for each customer, by a job with a result a call',
  permission: 'customers.grant',
  money: 'counted',
  input: compensationInput,
  subject: async (_deps, { title }) => `compensation:${title}`,
  weigh: async ({ db }, input) => {
    const { total, calls } = await selectCompensatedCalls(db, input)
    return { amount: total, rows: calls.length }
  },
  look: lookAtSelection,
  run: async ({ deps, tx, by, reason }, input) => {
    const { calls, total, isCut, customers } = await selectCompensatedCalls(tx, input)
    if (!calls.length) fail('BULK_EMPTY')
    if (isCut) fail('BULK_LARGE')
    if (total > parseUsd(input.budget)) fail('COMPENSATION_BUDGET', { total: formatUsd(total), budget: input.budget })
    const now = deps.clock.now()
    const id = createId('blk', now.getTime())
    const { title, ...terms } = input
    await insertBulk(tx, { id, kind: COMPENSATION_KIND, title, reason, level: 'second', terms, madeBy: by.id, madeAt: now, rows: calls.length })
    await insertItems(
      tx,
      id,
      calls.map(({ callId, userId, amount }) => ({ unit: userId, subject: `call:${callId}`, input: {}, amountNano: amount })),
    )
    await tx.audit('bulk.started', `bulk:${id}`, { kind: COMPENSATION_KIND, title, calls: calls.length, customers, total: formatUsd(total), reason })
    return { bulkId: id, calls: calls.length, customers, total: formatUsd(total) }
  },
})
