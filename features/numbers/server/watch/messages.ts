import { createHash } from 'node:crypto'
import { crashPoint } from '#platform/server/crash.ts'
import type { Deps, SealedColumn } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'
import { createId } from '#platform/shared/ids.ts'
import { lockTask, moveTask } from '#features/services/server/door.ts'
import { insertMessage, markReceived, notifyNumberWaiters } from '../data.ts'
import type { Message, Rental } from '../data.ts'
import type { NumberMessage } from '../vendors/port.ts'

const PURPOSE = 'numbers.message'
export const numbersSealed: readonly SealedColumn[] = [{ table: 'numbers_messages', column: 'sealed', id: 'id', owner: 'task_id', purpose: PURPOSE }]

export interface MessageContent {
  readonly text: string
  readonly code: string
}
export const unsealNumberMessage = ({ secretKeys }: Pick<Deps, 'secretKeys'>, { taskId, sealed }: Message): MessageContent | undefined =>
  sealed ? (JSON.parse(unseal(secretKeys, PURPOSE, { owner: taskId, sealed })) as MessageContent) : undefined

const hash = (...parts: readonly string[]): Buffer => createHash('sha256').update(parts.join('\n')).digest()

/** Stores new messages, each once whatever the rental, and advances the order; a message after the end is late: shown, and free. */
export async function storeNumberMessages(deps: Deps, rental: Rental, messages: readonly NumberMessage[]): Promise<void> {
  const { supplier, ref, number, taskId } = rental
  for (const { key, id, text, code } of messages) {
    await transact(deps.db, SYSTEM, async (tx) => {
      // Locked first: a concurrent give-back has either finished, or will find this message. Numbers have no order that must be locked before
      const task = await lockTask(tx, taskId)
      const late = task?.phase === 'failed' || task?.phase === 'done'
      const sealed = seal(deps.secretKey, PURPOSE, {
        owner: taskId,
        text: JSON.stringify({ text: text.slice(0, 1000), code: code.slice(0, 32) } satisfies MessageContent),
      })
      const digest = hash(supplier, ref, key)
      const origin = hash(supplier, number, ...(id === undefined ? [ref, key] : [id]))
      if (!(await insertMessage(tx, { id: createId('nms'), taskId, digest, origin, late, sealed }))) return
      // Audited by moveTask; if the order has moved on, only the message is audited
      const moved = await moveTask(deps, tx, {
        id: taskId,
        from: ['waiting'],
        to: { to: 'received', expiresAt: await computeDeadline(deps, rental, task?.deadlineAt) },
      })
      await markReceived(tx, supplier, ref)
      if (!moved) await tx.audit('number.message', `service:${taskId}`, { late })
      await notifyNumberWaiters(tx, taskId)
      crashPoint('numbers.message-before-commit')
    })
  }
}

/** Keeps a number until its time is over: a second message is free. */
async function computeDeadline(deps: Deps, { since }: Rental, deadline: Date | null | undefined): Promise<Date> {
  return deadline ?? new Date(Math.max(since.getTime() + 60_000, deps.clock.now().getTime()))
}
