import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { selectInactiveUsers } from '#features/account/server/door.ts'
import type { OrderKind, SoldOrder } from '#features/payments/server/door.ts'
import type { serviceErrors } from '../../errors.ts'
import { DRAFT } from '../../words.ts'
import { lockTask, selectTask } from './data.ts'
import type { Task } from './data.ts'
import { startTask } from './move.ts'
import { requireServiceOpen } from './open.ts'
import type { ServiceSpec } from './spec.ts'

/** Defines how orders of a service are priced, held and begun. Whether they were delivered follows from the end of the task. */
export function createOrderKind(spec: ServiceSpec, orderType: number, deps: () => Deps): OrderKind {
  return {
    orderType,
    earns: 'held',
    amounts: 'own',
    refusals: ['SERVICE_NOT_PAYABLE', 'SERVICE_PAUSED'] satisfies (keyof typeof serviceErrors)[],
    price: async (ctx, userId, { wish: { service: id } }) => {
      if (id === undefined) return fail('BAD_INPUT', { fields: ['service'] })
      const task = await selectTask(ctx.db, id, userId)
      if (!task || task.service !== spec.name || task.state !== DRAFT) return fail('SERVICE_NOT_PAYABLE')
      await requireServiceOpen(ctx, spec, { task })
      return formatUsd(task.amount)
    },
    fulfil: async (tx, order) => {
      try {
        await tx.savepoint(() => startFromOrder(tx, spec, { order, deps: deps() }))
        return 'later'
      } catch (error) {
        if (!(error instanceof Failure) || order.fromBalance) throw error
        // A payment through a channel stays in the balance even if the service refuses to begin.
        await tx.audit('service.kept', `order:${order.orderNo}`, { why: error.errorName })
        const why = { why: error.errorName, data: error.data ?? {} }
        await tx.emit('service.kept', { userId: order.userId, orderNo: order.orderNo, service: spec.name, amount: formatUsd(order.amount), ...why })
        return 'done'
      }
    },
    // The order's money is in the balance, so a refund through a channel takes the unspent part.
    undo: async () => {},
  }
}

async function startFromOrder(
  tx: Tx,
  spec: ServiceSpec,
  { order: { orderNo, userId, amount, wishes }, deps }: { readonly order: SoldOrder; readonly deps: Deps },
): Promise<Task> {
  const task = await lockTask(tx, wishes.service ?? '')
  if (!task || task.userId !== userId || task.service !== spec.name || task.state !== DRAFT || task.amount !== amount) return fail('SERVICE_NOT_PAYABLE')
  if ((await selectInactiveUsers(tx, [userId])).size) return fail('SERVICE_NOT_PAYABLE')
  return startTask(deps, tx, { task, how: { orderNo } })
}
