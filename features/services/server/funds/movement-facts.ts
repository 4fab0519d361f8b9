import { orderTitle } from '#features/payments/texts-titles.ts'
import type { FactsSource, MovementFacts } from '#features/wallet/server/door.ts'
import { allSpecs } from '../kit/registry.ts'
import { chargedTasks } from './data-movements.ts'

const taskIn = (ref: string) => ref.slice(0, ref.indexOf(':'))

/** Order numbers and titles of services' charges and refunds, for the statement. */
export const serviceMovementFacts: FactsSource = {
  kinds: ['service.charged', 'service.returned'],
  read: async ({ db }, lang, userId, rows) => {
    const returned = rows.filter((row) => row.kind === 'service.returned')
    const tasks = await chargedTasks(
      db,
      userId,
      rows.map((row) => row.id),
      returned.map((row) => taskIn(row.ref)),
    )
    const facts = new Map<bigint, MovementFacts>()
    for (const row of rows) {
      const isBack = row.kind === 'service.returned'
      const task = tasks.find((one) => (isBack ? one.id === taskIn(row.ref) : one.charge_id === row.id))
      const orderType = task && allSpecs().find((spec) => spec.name === task.service)?.orderType
      if (!task || orderType === undefined) continue
      const title = orderTitle(orderType, lang)
      facts.set(row.id, { subject: title, ...(isBack ? { from: title } : { to: title }), ...(task.order_no ? { orderNo: task.order_no } : {}) })
    }
    return facts
  },
}
