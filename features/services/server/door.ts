/** Exports of the kit for features that sell a service (README.md). */
import { fail } from '#platform/shared/errors.ts'
import type { Deps } from '#platform/server/feature.ts'
import { createOrderKind } from './kit/order-kind.ts'
import { registerServiceSpec } from './kit/registry.ts'
import type { ServiceSpec } from './kit/spec.ts'

export type { TaskRecheck, CauseSpec, DeskSpec, TaskTransition, TaskCardFacts, ServiceQuota, ServiceSpec, StateSpec } from './kit/spec.ts'
export { admitTrial } from './trials/admit-trial.ts'
export { beginTask } from './kit/begin.ts'
export type { BegunTask, TaskRequest } from './kit/begin.ts'
export { lapseTask, moveTask } from './kit/move.ts'
export { extendTask } from './kit/extend.ts'
export { callSupplier } from './kit/call-supplier.ts'
export type { SupplierRequest } from './kit/call-supplier.ts'
export { selectSupplierCalls, markAtSupplier } from './kit/data-calls.ts'
export type { SupplierCall } from './kit/data-calls.ts'
export { countLiveTasks, countTasks, deleteTaskFacts, lockBeginnings, lockTask, selectTask, selectTasks } from './kit/data.ts'
export { selectStepsOfTasks } from './kit/data-steps.ts'
export type { Task, TaskFilter } from './kit/data.ts'
export { readQuotaStatus } from './kit/quota.ts'
export { selectQuotaUsed } from './kit/data-quota.ts'
export { readServicePrice, computeDiscountedPrice, registerCodeDiscount } from './kit/price.ts'
export type { CodeDiscount } from './kit/price.ts'
export { actionIsOn } from '#features/support/server/door.ts'
export { readDeskHours, isOfferedNow, requireServiceOpen, requireSwitchedOn } from './kit/open.ts'
export { serviceHours } from './kit/settings.ts'
export { measureService, measureServiceCached } from './kit/measured.ts'
export { countTasksAhead, countRecentDeliveries, selectFirstInQueue, countOperatorsAtWork } from './kit/data-measured.ts'
export { countWaitingTasks, selectUpcomingEnds, selectOldestTasks, selectTasksByIds, selectUnusedReleases } from './kit/data-queue.ts'
export { workTask } from './kit/work.ts'
export { listServiceSpecs } from './kit/registry.ts'
export { buildTaskView } from './records/view.ts'

const depsBySpec = new Map<ServiceSpec, Deps>()

/**
 * Registers a service in the `start` of its feature: its order type, its work and its hub entry. Idempotent; in tests the latest `deps`
 * win.
 */
export function sellService(deps: Deps, spec: ServiceSpec): void {
  depsBySpec.set(spec, deps)
  if (soldSpecs.has(spec)) return
  soldSpecs.add(spec)
  registerServiceSpec(spec, spec.orderType === undefined ? undefined : createOrderKind(spec, spec.orderType, () => depsBySpec.get(spec) ?? fail('UNAVAILABLE')))
}
const soldSpecs = new Set<ServiceSpec>()
