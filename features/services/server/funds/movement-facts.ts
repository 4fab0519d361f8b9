import { formatOrderTitle } from '#features/payments/texts-titles.ts'
import type { MovementFactsSource, MovementFacts } from '#features/wallet/server/door.ts'
import { listServiceSpecs } from '../kit/registry.ts'
import { selectChargedTasks } from './data-movements.ts'

const parseTaskId = (ref: string) => ref.slice(0, ref.indexOf(':'))

/** Order numbers and titles of services' charges and refunds, for the statement. */
export const serviceMovementFacts: MovementFactsSource = {
  kinds: ['service.charged', 'service.returned'],
  read: async ({ db }, { lang, userId, rows }) => {
    const returned = rows.filter((row) => row.kind === 'service.returned')
    const tasks = await selectChargedTasks(db, userId, { charges: rows.map((row) => row.id), ids: returned.map((row) => parseTaskId(row.ref)) })
    const facts = new Map<bigint, MovementFacts>()
    for (const row of rows) {
      const isBack = row.kind === 'service.returned'
      const task = tasks.find((one) => (isBack ? one.id === parseTaskId(row.ref) : one.chargeId === row.id))
      const orderType = task && listServiceSpecs().find((spec) => spec.name === task.service)?.orderType
      if (!task || orderType === undefined) continue
      const title = formatOrderTitle(orderType, lang)
      facts.set(row.id, { subject: title, ...(isBack ? { from: title } : { to: title }), ...(task.orderNo ? { orderNo: task.orderNo } : {}) })
    }
    return facts
  },
}
