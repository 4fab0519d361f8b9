import { sumNano, formatUsd } from '#platform/shared/money.ts'
import { findContact, selectInactiveUsers } from '#features/account/server/door.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { creditUser } from '#features/wallet/server/door.ts'
import { backofficeTexts } from '../../texts.ts'
import { findOperator } from '../access/data.ts'
import { listDoneSubjects } from '../bulk/data.ts'
import type { UnitWork } from '../bulk/unit-work.ts'

export const compensatedMail = {
  name: 'backoffice.compensated',
  texts: backofficeTexts,
  subject: 'mail_compensated_subject',
  body: 'mail_compensated_body',
} as const

/**
 * Compensates all calls of one customer with one credit lot and one mail. Refuses calls that another campaign has compensated, inactive
 * customers, and the operator's own account.
 */
export const compensateUnit: UnitWork = async (deps, tx, { bulk, items }) => {
  const userId = items[0]!.unit
  const contact = await findContact(tx, userId)
  const refuseAll = (why: string) => new Map(items.map(({ position }) => [position, why]))
  if (!contact || (await selectInactiveUsers(tx, [userId])).size) return refuseAll('CUSTOMER_INACTIVE')
  if (contact.email !== null && contact.email === (await findOperator(tx, bulk.madeBy))?.mail) return refuseAll('COMMAND_OWN')
  const before = await listDoneSubjects(
    tx,
    items.map(({ subject }) => subject),
  )
  const due = items.filter(({ subject }) => !before.has(subject))
  if (due.length) {
    const amount = sumNano(due.map(({ amountNano }) => amountNano!))
    const ref = `compensation:${bulk.id}:${userId}`
    const days = Number(bulk.terms['days'])
    const expiresAt = new Date(deps.clock.now().getTime() + days * 86_400_000)
    await creditUser(tx, { userId, amount, ref, from: 'grants', expiresAt })
    await tx.audit('credit.granted', `user:${userId}`, {
      amount: formatUsd(amount),
      purpose: 'compensation',
      days,
      ref,
      reason: bulk.reason,
      calls: due.length,
    })
    if (contact.email !== null)
      await sendMail(deps, tx, {
        ...{ to: contact.email, template: compensatedMail, lang: contact.lang, dedupe: ref },
        values: { title: bulk.title, amount: formatUsd(amount), calls: String(due.length), days: String(days) },
      })
  }
  return new Map(items.map(({ position, subject }) => [position, before.has(subject) ? 'ALREADY_COMPENSATED' : null]))
}
