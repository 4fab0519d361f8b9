import { isRejected, rejectedError } from '#platform/shared/suppliers/supplier-error.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { ServiceSpec } from '../kit/spec.ts'
import { callSupplier } from '../kit/call-supplier.ts'
import { selectSupplierCalls } from '../kit/data-calls.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'

/** Fault of the supplier's next call: lost before it takes effect, or after. */
export type ExampleFault = 'refused' | 'lost_before' | 'lost_after' | 'slow'

/** A fake supplier with its own records: one thing per key, however often it is called. */
export function createBookSupplier() {
  const things = new Map<string, { ref: string; state: 'made' | 'ready' | 'gone' }>()
  const faults: ExampleFault[] = []
  const lose = (when: ExampleFault): void => {
    if (faults[0] !== when) return
    faults.shift()
    throw new Error('the line is dead')
  }
  return {
    things,
    faults,
    make: async (key: string) => {
      lose('lost_before')
      if (faults[0] === 'refused') {
        faults.shift()
        throw rejectedError('sold out')
      }
      const known = things.get(key) ?? { ref: `thing-${things.size + 1}`, state: faults[0] === 'slow' ? ('made' as const) : ('ready' as const) }
      if (faults[0] === 'slow') faults.shift()
      things.set(key, known)
      lose('lost_after')
      return { ref: known.ref }
    },
    find: async (key: string) => {
      const known = things.get(key)
      return known ? { ref: known.ref } : undefined
    },
    stateOf: (ref: string) => [...things.values()].find((thing) => thing.ref === ref)?.state,
    end: async (key: string) => {
      lose('lost_before')
      const known = things.get(key)
      if (known) known.state = 'gone'
    },
    live: () => [...things.values()].filter(({ state }) => state !== 'gone').length,
  }
}
export type BookSupplier = ReturnType<typeof createBookSupplier>

const exampleTexts = {
  title: 'Example',
  state_asked: 'Asked',
  state_desk: 'With a person',
  state_using: 'In use',
  state_ended: 'Ended',
  state_failed: 'Failed',
  cause_sold_out: 'Sold out',
  cause_too_late: 'Too late',
  cause_time_up: 'Time is up',
  cause_customer: 'The customer’s own fault',
  cause_half: 'Half of it',
  product_one: 'One',
  product_desk: 'By hand',
  error_EXAMPLE_FULL: 'No place in {place}',
}

/** A service with every kind of state: a supplier or a person makes it, it is used for an hour, and it can fail in each way. */
export function createExampleService(supplier: BookSupplier): ServiceSpec {
  const make = async (deps: Deps, task: Parameters<NonNullable<ServiceSpec['giveBack']>>[1]) => {
    if (task.product === 'desk') return { to: 'desk' }
    try {
      const { ref } = await callSupplier(deps, task, { supplier: 'book', verb: 'make', leaves: true, run: supplier.make, find: supplier.find })
      if (supplier.stateOf(ref) !== 'ready') return { seconds: 1 }
      return { to: 'using', supplierRef: ref, expiresAt: new Date(task.now.getTime() + 3_600_000) }
    } catch (error) {
      if (isRejected(error)) return { to: 'failed', cause: 'sold_out' }
      throw error
    }
  }
  return {
    name: 'example',
    orderType: 8,
    prices: { one: '3.00', desk: '20.00' },
    first: 'asked',
    states: {
      asked: { phase: 'waiting', to: ['using', 'desk', 'failed'], work: make, within: async () => 10, late: { to: 'failed', cause: 'too_late' } },
      desk: { phase: 'waiting', to: ['using', 'failed'], desk: { ends: ['using', 'failed'], facts: ['account'], steps: ['open'] } },
      using: { phase: 'using', to: ['ended', 'failed'], expires: { to: 'ended', cause: 'time_up' } },
      ended: { phase: 'done', to: [] },
      failed: { phase: 'failed', to: [] },
    },
    causes: {
      sold_out: { money: 'back' },
      too_late: { money: 'back' },
      time_up: { money: 'keep' },
      customer: { money: 'keep' },
      half: { money: 'part' },
    },
    begin: async () => (REFUSES.place ? fail('EXAMPLE_FULL', { place: REFUSES.place }) : undefined),
    quota: async () => ({ allowed: FREE.uses, period: '' }),
    giveBack: async (deps, task) => {
      for (const { key, verb } of await selectSupplierCalls(deps.db, task.id)) if (verb === 'make') await supplier.end(key)
      return true
    },
    texts: mapLangs(() => exampleTexts),
    path: '/service',
    glance: ({ id }) => `#${id.slice(-4)}`,
  }
}
export const FREE = { uses: 0 }
/** A reason makes the service refuse to begin paid tasks. */
export const REFUSES = { place: '' }
