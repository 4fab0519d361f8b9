import type { Deps } from '#platform/server/feature.ts'
import type { Task } from '#features/services/server/door.ts'
import type { NumberRow } from '../contract.ts'
import { NUMBER_SERVICES } from '../words.ts'
import type { NumberOrderState } from '../words.ts'
import { listNumberMessages, listRentals } from './data.ts'
import type { Message, Rental } from './data.ts'
import type { NumberFacts } from './rent/find-number.ts'
import { unsealNumberMessage } from './watch/messages.ts'

const STATES: Readonly<Record<string, NumberOrderState>> = {
  finding: 'wanted',
  waiting: 'waiting',
  received: 'received',
  finished: 'received',
  nobody: 'failed',
  expired: 'expired',
  cancelled: 'cancelled',
}

/** Numbers as their owner sees them, without supplier and cost. */
export async function buildNumberRows(deps: Deps, tasks: readonly Task[]): Promise<NumberRow[]> {
  const ids = tasks.map(({ id }) => id)
  const [rentals, messages] = await Promise.all([listRentals(deps.db, ids), listNumberMessages(deps.db, ids)])
  return tasks.map((task) =>
    buildNumberRow(deps, task, {
      rental: rentals.find(({ taskId, ref }) => taskId === task.id && ref === task.supplierRef),
      messages: messages.filter(({ taskId }) => taskId === task.id),
    }),
  )
}

function buildNumberRow(
  deps: Deps,
  task: Task,
  { rental, messages }: { readonly rental: Rental | undefined; readonly messages: readonly Message[] },
): NumberRow {
  const { service, country, number = '' } = task.facts as unknown as NumberFacts
  // After a give-back the use is returned, so a code that arrives while the supplier still holds the number would be free: hide it
  const due = messages.filter(({ late }) => !(late && task.cause === 'given_back'))
  const shown = due.map((one) => ({ at: one.at.toISOString(), late: one.late, ...(unsealNumberMessage(deps, one) ?? { text: '', code: '' }) }))
  const last = shown.at(-1)
  const state = STATES[task.state] ?? 'failed'
  return {
    id: task.id,
    type: NUMBER_SERVICES.indexOf(service) + 1,
    service,
    country,
    state,
    cause: task.phase === 'failed' ? task.cause : '',
    number,
    message: last?.text ?? '',
    code: last?.code ?? '',
    messages: shown,
    appliedTime: task.createdAt.toISOString(),
    startedTime: rental?.since.toISOString() ?? null,
    receiveTime: rental?.receivedAt?.toISOString() ?? null,
    deadlineTime: (task.deadlineAt ?? task.expiresAt)?.toISOString() ?? null,
    endedTime: task.finishedAt?.toISOString() ?? null,
    paidBy: task.freePeriod?.startsWith('pack:') ? 'pack' : 'card',
    returned: task.free === 'back',
    version: `${state}-${shown.length}-${task.phase}-${number ? 1 : 0}`,
  }
}
