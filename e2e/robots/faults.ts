import type { RobotProduct } from './stage/product.ts'
import type { SeededRandom } from './people/random.ts'

/** The one control of all suppliers' faults (docs/vendors/faults.md). */
export interface SupplierFaults {
  /** Plants one for the next calls of some supplier. Says which. */
  plant(random: SeededRandom): Promise<string>
  /** From now on everybody answers as they should. */
  clear(): Promise<void>
}

/** Mail and text messages carry the codes that people wait for, and papers the pictures: without them no act succeeds. */
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
