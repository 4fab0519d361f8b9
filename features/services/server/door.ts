/** The kit, for those who write a service (README.md). */
import { fail } from '#platform/shared/errors.ts'
import type { Deps } from '#platform/server/feature.ts'
import { orderKindOf } from './kit/order-kind.ts'
import { addSpec } from './kit/registry.ts'
import type { ServiceSpec } from './kit/spec.ts'

export type { Again, CauseSpec, DeskSpec, Learned, OnCard, Quota, ServiceSpec, StateSpec } from './kit/spec.ts'
export { admitTrial } from './trials/admit-trial.ts'
export { beginTask } from './kit/begin.ts'
export type { Begun, Wanted } from './kit/begin.ts'
export { lapseTask, moveTask } from './kit/move.ts'
export { extendTask } from './kit/extend.ts'
export { askSupplier } from './kit/ask-supplier.ts'
export type { SupplierAsk } from './kit/ask-supplier.ts'
export { callsOf, leavesAtSupplier } from './kit/data-calls.ts'
export type { SupplierCall } from './kit/data-calls.ts'
export { countLive, countTasks, forgetFacts, lockBeginnings, lockTask, taskById, tasksOf } from './kit/data.ts'
export { stepsOfAll } from './kit/data-steps.ts'
export type { Task, TaskFilter } from './kit/data.ts'
export { quotaNow } from './kit/quota.ts'
export { quotaUsed } from './kit/data-quota.ts'
export { priceOf, priceWith, registerCodeDiscount } from './kit/price.ts'
export type { CodeDiscount } from './kit/price.ts'
export { actionIsOn } from '#features/support/server/door.ts'
export { deskHours, isOfferedNow, refuseClosed, refuseSwitchedOff } from './kit/open.ts'
export { serviceHours } from './kit/settings.ts'
export { measured, measuredLately } from './kit/measured.ts'
export { aheadOf, deliveredLately, firstInQueue, peopleAtWork } from './kit/data-measured.ts'
export { countIn, endsInUse, oldestIn, tasksByIds, unusedWithin } from './kit/data-queue.ts'
export { workTask } from './kit/work.ts'
export { allSpecs } from './kit/registry.ts'
export { taskView } from './records/view.ts'

const running = new Map<ServiceSpec, Deps>()

/** In the `start` of a service's feature: makes its order type orderable, its tasks workable, its line in the hub. Again in tests: the newest `deps` count. */
export function sellService(deps: Deps, spec: ServiceSpec): void {
  running.set(spec, deps)
  if (kinds.has(spec)) return
  kinds.add(spec)
  addSpec(spec, spec.orderType === undefined ? undefined : orderKindOf(spec, spec.orderType, () => running.get(spec) ?? fail('UNAVAILABLE')))
}
const kinds = new Set<ServiceSpec>()
