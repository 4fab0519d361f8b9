import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { beginTask, moveTask } from '#features/services/server/door.ts'
import type { NumberCountry, NumberService } from '../words.ts'
import { insertRental, findRental } from './data.ts'
import { NUMBERS_SERVICE, PACKS_SERVICE } from './spec.ts'
import { storeNumberMessages } from './watch/messages.ts'

interface NumberOptions {
  readonly userId: string
  readonly service?: NumberService
  readonly country?: NumberCountry
  readonly number?: string
  /** Text of a received message; without it, the number still waits. */
  readonly text?: string
  readonly code?: string
}

/** Creates a number that waits for a text or has received one; takes no use. Returns its id. */
export async function aNumber(deps: Deps, wish: NumberOptions): Promise<string> {
  const { userId, service = 'openai', country = 'US', number = '+12135550142' } = wish
  const ref = createRandomCode(12).toLowerCase()
  const id = await transact(deps.db, SYSTEM, async (tx) => {
    const facts = { service, country, number }
    const { task } = await beginTask(deps, tx, { service: NUMBERS_SERVICE, userId, product: 'number', facts, price: 0n })
    await moveTask(deps, tx, {
      id: task.id,
      from: ['finding'],
      to: {
        to: 'waiting',
        supplier: 'built',
        supplierRef: ref,
        also: () => insertRental(tx, { supplier: 'built', ref, taskId: task.id, userId, number, service, country, cost: 200_000_000n }),
      },
    })
    return task.id
  })
  if (wish.text !== undefined)
    await storeNumberMessages(deps, (await findRental(deps.db, 'built', ref))!, [{ key: '0', text: wish.text, code: wish.code ?? '' }])
  return id
}

/** Creates a pack without a payment. Returns its id. */
export async function aPack(deps: Deps, userId: string, count = 3): Promise<string> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const { task } = await beginTask(deps, tx, { service: PACKS_SERVICE, userId, product: 'pack', facts: { count }, price: 0n })
    const until = new Date(Date.now() + 86_400_000)
    await moveTask(deps, tx, { id: task.id, from: ['granting'], to: { to: 'ready', facts: { until: until.toISOString() }, expiresAt: until } })
    return task.id
  })
}
