import { isRejected } from '#platform/shared/suppliers/supplier-error.ts'
import type { Deps } from '#platform/server/feature.ts'
import { parseUsd, formatUsd, type Nano } from '#platform/shared/money.ts'
import { callSupplier, selectSupplierCalls, type TaskTransition, type Task } from '#features/services/server/door.ts'
import type { NumberCountry, NumberService } from '../../words.ts'
import { insertRental, notifyNumberWaiters, insertRentAttempt, listSupplierRecords, type SupplierRecord } from '../data.ts'
import { maxNumberCost } from '../settings.ts'
import { listNumberSuppliers } from '../vendors/index.ts'
import type { NumberSupplier, NumberRequest } from '../vendors/port.ts'

/** Pseudo-count of a success rate of one half, so that suppliers with few numbers are tried. */
const PRIOR = 4
/** Difference of success rates in percent within which suppliers count as equal. */
const TIE_PERCENT = 10
/** Consecutive failures after which a supplier comes last for five minutes. */
const MAX_FAILURES = 3

interface PricedSupplier {
  readonly name: string
  readonly cost: Nano
}

/** Ranks suppliers by success rate; among about equally good ones, the cheapest comes first. Suppliers with recent failures come last. */
export function rankSuppliers<T extends PricedSupplier>(offers: readonly T[], standings: readonly SupplierRecord[]): T[] {
  const of = (name: string) => standings.find(({ supplier }) => supplier === name)
  const rate = (name: string): number => {
    const { rented = 0, received = 0 } = of(name) ?? {}
    return ((received + PRIOR / 2) / (rented + PRIOR)) * 100
  }
  const best = Math.max(...offers.map(({ name }) => rate(name)))
  const place = ({ name }: T): number => ((of(name)?.broken ?? 0) >= MAX_FAILURES ? 1000 : Math.floor(Math.max(0, best - rate(name)) / TIE_PERCENT))
  return offers.toSorted((a, b) => place(a) - place(b) || (a.cost < b.cost ? -1 : a.cost > b.cost ? 1 : 0))
}

export interface NumberFacts {
  readonly service: NumberService
  readonly country: NumberCountry
  readonly number?: string
}
interface RentAnswer extends Readonly<Record<string, unknown>> {
  readonly ref: string
  readonly number: string
  readonly cost: string
}

/** Prefix of the rent calls to suppliers; the supplier's name follows. */
const RENT_VERB_PREFIX = 'rent-'
export const rentVerb = (supplier: string) => `${RENT_VERB_PREFIX}${supplier}`
export const listRentCalls = <C extends { readonly verb: string }>(calls: readonly C[]): C[] => calls.filter(({ verb }) => verb.startsWith(RENT_VERB_PREFIX))

/**
 * Tries the suppliers one after another until one has a number. A supplier whose response was
 * lost is not called again: a number it may have rented is found and given back (unmatched-numbers.ts).
 */
export async function findNumber(deps: Deps, task: Task): Promise<TaskTransition> {
  const { service, country } = task.facts as unknown as NumberFacts
  const want: NumberRequest = { service, country }
  const calls = listRentCalls(await selectSupplierCalls(deps.db, task.id))
  const answered = calls.find(({ state }) => state === 'answered')
  if (answered) return buildRentResult(task, answered.supplier, answered.answer as RentAnswer)
  const asked = new Set(calls.map(({ supplier }) => supplier))
  const maxCost = parseUsd(await deps.settings.get(maxNumberCost))
  const { offers, isOneDown } = await listOffers(deps, want, maxCost)
  let isDown = isOneDown || calls.some(({ state }) => state === 'meant')
  for (const { supplier } of offers) {
    if (asked.has(supplier.name)) continue
    const answer = await rentFromSupplier(deps, task, { supplier, want, maxCost })
    if (typeof answer === 'object') return buildRentResult(task, supplier.name, answer)
    isDown ||= answer === 'down'
  }
  return { to: 'nobody', cause: isDown ? 'supplier_down' : 'no_numbers' }
}

/** True if the supplier did not say whether it has a number: it failed, or it refuses our account. */
const isSupplierDown = (error: unknown): boolean => !isRejected(error) || error.ours

interface SupplierOffer {
  readonly name: string
  readonly cost: Nano
  readonly supplier: NumberSupplier
}

/** Offers within the price, best first. Records suppliers that give no price, and reports whether one of them may have numbers. */
async function listOffers(deps: Deps, want: NumberRequest, maxCost: Nano): Promise<{ readonly offers: SupplierOffer[]; readonly isOneDown: boolean }> {
  const suppliers = listNumberSuppliers(deps)
  let isOneDown = false
  const offers = await Promise.all(
    suppliers.map(async (supplier) => {
      try {
        const offer = await supplier.offer(want)
        return offer && offer.cost <= maxCost ? [{ name: supplier.name, cost: offer.cost, supplier }] : []
      } catch (error) {
        isOneDown ||= isSupplierDown(error)
        deps.log.warn({ supplier: supplier.name, why: (error as Error).message }, 'a supplier of numbers gave no price')
        await insertRentAttempt(deps.db, {
          supplier: supplier.name,
          ...want,
          outcome: isRejected(error) ? 'refused' : 'unknown',
          why: (error as Error).message,
        })
        return []
      }
    }),
  )
  return { offers: rankSuppliers(offers.flat(), await listSupplierRecords(deps.db, want.service, want.country)), isOneDown }
}

async function rentFromSupplier(
  deps: Deps,
  task: Task,
  { supplier, want, maxCost }: { readonly supplier: NumberSupplier; readonly want: NumberRequest; readonly maxCost: Nano },
): Promise<RentAnswer | 'none' | 'down'> {
  const { name } = supplier
  const tried = (outcome: 'rented' | 'refused' | 'unknown', why = '') => insertRentAttempt(deps.db, { supplier: name, ...want, outcome, why })
  try {
    const answer = await callSupplier<RentAnswer>(deps, task, {
      supplier: name,
      verb: rentVerb(name),
      leaves: true,
      run: async (key) => {
        const { ref, number, cost } = await supplier.rent({ ...want, key, maxCost })
        return { ref, number, cost: formatUsd(cost) }
      },
    })
    await tried('rented')
    return answer
  } catch (error) {
    const refused = isRejected(error)
    await tried(refused ? 'refused' : 'unknown', (error as Error).message)
    deps.log.warn({ taskId: task.id, supplier: name, why: (error as Error).message }, 'a supplier gave no number')
    return isSupplierDown(error) ? 'down' : 'none'
  }
}

function buildRentResult(task: Task, supplier: string, { ref, number, cost }: RentAnswer): TaskTransition {
  const { service, country } = task.facts as unknown as NumberFacts
  return {
    to: 'waiting',
    supplier,
    supplierRef: ref,
    facts: { number },
    also: async (tx) => {
      await insertRental(tx, { supplier, ref, taskId: task.id, userId: task.userId, number, service, country, cost: parseUsd(cost) })
      await notifyNumberWaiters(tx, task.id)
    },
  }
}
