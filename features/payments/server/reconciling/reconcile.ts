import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM } from '#platform/server/database/transact.ts'
import { takeDueOrders } from '../data.ts'
import { takeDueRefunds } from '../states/data-refunds.ts'
import { checkOrder } from '../paying/check-order.ts'
import { workRefund } from './work-refund.ts'

const BATCH_SIZE = 8

/** Asks about every order that is due: what keeps orders alive when no notice comes (W8). */
export async function reconcile(deps: Deps): Promise<void> {
  await workAllDue(deps, takeDueOrders, (id) => checkOrder(deps, SYSTEM, id), 'an order could not be checked')
}

/** Sends refunds that are due and asks about those under way. */
export async function workRefunds(deps: Deps): Promise<void> {
  await workAllDue(deps, takeDueRefunds, (id) => workRefund(deps, id), 'a refund could not be worked on')
}

/** Takes what is due until nothing is; one that fails does not keep the others. */
async function workAllDue(
  deps: Deps,
  take: (sql: Deps['db'], limit: number) => Promise<bigint[]>,
  work: (id: bigint) => Promise<void>,
  failure: string,
): Promise<void> {
  for (;;) {
    const due = await take(deps.db, BATCH_SIZE)
    await Promise.all(due.map((id) => work(id).catch((error: unknown) => deps.log.error({ err: error, id: id.toString() }, failure))))
    if (due.length < BATCH_SIZE) return
  }
}
