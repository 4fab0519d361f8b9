import type { RobotProduct } from './stage/product.ts'
import type { SeededRandom } from './people/random.ts'

/** Controls the faults of all suppliers (docs/vendors/faults.md). */
export interface SupplierFaults {
  /** Plants a fault for the next calls of a random supplier. Returns its description. */
  plant(random: SeededRandom): Promise<string>
  /** Clears all faults: from now on every supplier responds normally. */
  clear(): Promise<void>
}

/** Excluded suppliers: mail and text messages carry required codes, and identity papers the images; without them no act succeeds. */
const SPARED_PORTS = /^(notices\.|identity\.store|account\.)/
const KINDS = [
  ['fail', 4],
  ['late', 3],
  ['stall', 2],
  ['reject', 2],
] as const

interface Port {
  readonly port: string
  readonly operations: Readonly<Record<string, string>>
}

export async function openSupplierFaults({ siteUrl }: RobotProduct): Promise<SupplierFaults> {
  const reply = await fetch(`${siteUrl}/sandbox/faults`)
  const all = reply.ok && reply.headers.get('content-type')?.includes('json') ? ((await reply.json()) as { ports: Port[] }).ports : []
  const ports = all.filter(({ port }) => !SPARED_PORTS.test(port))
  const post = (wish: object): Promise<Response> => fetch(`${siteUrl}/sandbox/faults`, { method: 'POST', body: JSON.stringify(wish) })
  return {
    plant: async (random) => {
      if (!ports.length) return ''
      const { port, operations } = random.pick(ports)
      const operation = random.pick(Object.keys(operations))
      const [fault, times] = [random.weighted(KINDS), random.int(1, 2)]
      await post({ port, operation, fault, times })
      return `${port}.${operation}: ${fault} x ${times}`
    },
    clear: async () => void (ports.length && (await post({ port: '*', fault: 'none' }))),
  }
}
