import { isRejected } from '#platform/shared/supplier-error.ts'
import type { Deps } from '#platform/server/feature.ts'
import { parseUsd, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { askSupplier, callsOf } from '#features/services/server/door.ts'
import type { Learned, Task } from '#features/services/server/door.ts'
import type { NumberCountry, NumberService } from '../../words.ts'
import { insertRental, ring } from '../data.ts'
import { insertTry, standingsOf } from '../data-suppliers.ts'
import { mostCost } from '../settings.ts'
import { suppliersOf } from '../suppliers.ts'
import type { NumberSupplier, Want } from '../vendors/port.ts'
import { rankSuppliers } from './rank.ts'

export interface NumberFacts {
  readonly service: NumberService
  readonly country: NumberCountry
  readonly number?: string
}
interface Answer extends Readonly<Record<string, unknown>> {
  readonly ref: string
  readonly number: string
  readonly cost: string
}

/** Prefix of the rent calls to suppliers; the supplier's name follows. */
const VERB = 'rent-'
export const verbOf = (supplier: string) => `${VERB}${supplier}`
export const rentsIn = <C extends { readonly verb: string }>(calls: readonly C[]): C[] => calls.filter(({ verb }) => verb.startsWith(VERB))

/**
 * Tries the suppliers one after another until one has a number. A supplier whose response was
 * lost is not called again: a number it may have rented is found and given back (strangers.ts).
 */
export async function findNumber(deps: Deps, task: Task): Promise<Learned> {
  const { service, country } = task.facts as unknown as NumberFacts
  const want: Want = { service, country }
  const calls = rentsIn(await callsOf(deps.db, task.id))
  const answered = calls.find(({ state }) => state === 'answered')
  if (answered) return rented(task, answered.supplier, answered.answer as Answer)
  const asked = new Set(calls.map(({ supplier }) => supplier))
  const maxCost = parseUsd(await deps.settings.get(mostCost))
  for (const { supplier } of await offersOf(deps, want, maxCost)) {
    if (asked.has(supplier.name)) continue
    const answer = await rentAt(deps, task, supplier, want, maxCost)
    if (answer) return rented(task, supplier.name, answer)
  }
  return { to: 'nobody', cause: 'no_numbers' }
}

interface Offered {
  readonly name: string
  readonly cost: Nano
  readonly supplier: NumberSupplier
}

/** Offers within the price, best first. Records suppliers that do not respond, and leaves them out. */
async function offersOf(deps: Deps, want: Want, maxCost: Nano): Promise<Offered[]> {
  const suppliers = suppliersOf(deps)
  const offers = await Promise.all(
    suppliers.map(async (supplier) => {
      try {
        const offer = await supplier.offer(want)
        return offer && offer.cost <= maxCost ? [{ name: supplier.name, cost: offer.cost, supplier }] : []
      } catch (error) {
        deps.log.warn({ supplier: supplier.name, why: (error as Error).message }, 'a supplier of numbers gave no price')
        await insertTry(deps.db, {
          supplier: supplier.name,
          ...want,
          outcome: isRejected(error) ? 'refused' : 'unknown',
          why: (error as Error).message,
        })
        return []
      }
    }),
  )
  return rankSuppliers(offers.flat(), await standingsOf(deps.db, want.service, want.country))
}

async function rentAt(deps: Deps, task: Task, supplier: NumberSupplier, want: Want, maxCost: Nano): Promise<Answer | undefined> {
  const { name } = supplier
  const tried = (outcome: 'rented' | 'refused' | 'unknown', why = '') => insertTry(deps.db, { supplier: name, ...want, outcome, why })
  try {
    const answer = await askSupplier<Answer>(deps, task, {
      supplier: name,
      verb: verbOf(name),
      leaves: true,
      run: async (key) => {
        const { ref, number, cost } = await supplier.rent({ ...want, key, maxCost })
        return { ref, number, cost: usd(cost) }
      },
    })
    await tried('rented')
    return answer
  } catch (error) {
    const refused = isRejected(error)
    await tried(refused ? 'refused' : 'unknown', (error as Error).message)
    deps.log.warn({ taskId: task.id, supplier: name, why: (error as Error).message }, 'a supplier gave no number')
    return undefined
  }
}

function rented(task: Task, supplier: string, { ref, number, cost }: Answer): Learned {
  const { service, country } = task.facts as unknown as NumberFacts
  return {
    to: 'waiting',
    supplier,
    supplierRef: ref,
    facts: { number },
    also: async (tx) => {
      await insertRental(tx, { supplier, ref, task_id: task.id, user_id: task.user_id, number, service, country, cost: parseUsd(cost) })
      await ring(tx, task.id)
    },
  }
}
