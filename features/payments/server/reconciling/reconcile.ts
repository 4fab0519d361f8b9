import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM } from '#platform/server/database/transact.ts'
import { takeDueOrders } from '../data.ts'
import { takeDueRefunds } from '../states/data-refunds.ts'
import { checkOrder } from '../paying/check-order.ts'
import { workRefund } from './work-refund.ts'

const BATCH_SIZE = 8

/** Job: queries every due order, so that orders advance even if no notice arrives (W8). */
export async function reconcile(deps: Deps): Promise<void> {
  await workAllDue(deps, takeDueOrders, { work: (id) => checkOrder(deps, SYSTEM, id), failure: 'an order could not be checked' })
}

/** Job: sends due refunds and queries those in progress. */
export async function workRefunds(deps: Deps): Promise<void> {
  await workAllDue(deps, takeDueRefunds, { work: (id) => workRefund(deps, id), failure: 'a refund could not be worked on' })
}

/** Processes due rows until none are left; a failing one does not block the others. */
async function workAllDue(
  deps: Deps,
  take: (sql: Deps['db'], limit: number) => Promise<bigint[]>,
  { work, failure }: { readonly work: (id: bigint) => Promise<void>; readonly failure: string },
): Promise<void> {
  for (;;) {
    const due = await take(deps.db, BATCH_SIZE)
    await Promise.all(due.map((id) => work(id).catch((error: unknown) => deps.log.error({ err: error, id: id.toString() }, failure))))
    if (due.length < BATCH_SIZE) return
  }
}
