import type { Tx } from '#platform/server/database/transact.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { OrderRow } from '../data.ts'
import { toOrderEventFacts } from '../states/emit-order-event.ts'

/** News about auto recharge, mailed to the owner of the plan. */
export type AutoEvent =
  | 'auto.started'
  | 'auto.changed'
  | 'auto.announced'
  | 'auto.refused'
  /** Too many refusals, or a final one: auto recharge is off. */
  | 'auto.off'
  | 'auto.ceiling'
  | 'auto.stopped'
  /** The agreement was ended at the channel, not by us. */
  | 'auto.ended'

/** Audit row and news about a charge, with the order's figures. */
export async function emitChargeEvent(
  tx: Tx,
  order: OrderRow,
  { event, more = {} }: { readonly event: AutoEvent; readonly more?: Readonly<Record<string, string>> },
): Promise<void> {
  const facts = { ...toOrderEventFacts(order), amount: formatUsd(order.amountNano), ...more }
  await tx.audit(event, `order:${order.orderNo}`, facts)
  await tx.emit(event, facts)
}

/** Audit row and news about the plan itself. */
export async function emitPlanEvent(
  tx: Tx,
  userId: string,
  { event, facts = {} }: { readonly event: AutoEvent; readonly facts?: Readonly<Record<string, string | number>> },
): Promise<void> {
  await tx.audit(event, `user:${userId}`, facts)
  await tx.emit(event, { userId, ...facts })
}
