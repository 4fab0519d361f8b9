import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM } from '#platform/server/transact.ts'
import { takeDueOrders } from '../data.ts'
import { checkOrder } from './check-order.ts'

const AT_ONCE = 8

/** Asks about every order that is due: what keeps orders alive when no notice comes (W8). */
export async function reconcile(deps: Deps): Promise<void> {
  for (;;) {
    const due = await takeDueOrders(deps.db, AT_ONCE)
    await Promise.all(
      due.map((id) =>
        checkOrder(deps, SYSTEM, id).catch((error: unknown) => deps.log.error({ err: error, orderId: id.toString() }, 'an order could not be checked')),
      ),
    )
    if (due.length < AT_ONCE) return
  }
}
