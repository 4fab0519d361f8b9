import { setTimeout as sleep } from 'node:timers/promises'
import { rejectedError, retryableError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SupplierPort } from './ports.ts'
import { takeFault } from './data-faults.ts'
import type { PlantedSupplierFault, QuerySql } from './data-faults.ts'

/** `where.query` reads the table of planted faults. Undefined: no faults here. */
export type FaultSource = QuerySql | undefined

/**
 * Wraps a sandbox's adapter with fault injection: each operation of the port first takes the fault planted for it. `reject`: a definite
 * refusal without effect. `fail`: retryable, without effect. `stall`: no response, no effect. `late`: takes effect, but the response
 * arrives after the caller has timed out.
 */
export function withFaults<T extends object>({ port, operations }: SupplierPort, adapter: T, sourceOf: (args: readonly unknown[]) => FaultSource): T {
  const faulty = Object.keys(operations).flatMap((operation) => {
    const run: unknown = (adapter as Readonly<Record<string, unknown>>)[operation]
    if (typeof run !== 'function') return []
    const call = async (...args: readonly unknown[]): Promise<unknown> => {
      const source = sourceOf(args)
      const planted = source && (await takeFault(source, { port, operation, facts: formatArguments(args) }))
      return planted ? applyFault(planted, () => Reflect.apply(run, adapter, args) as unknown) : (Reflect.apply(run, adapter, args) as unknown)
    }
    return [[operation, call] as const]
  })
  return { ...adapter, ...Object.fromEntries(faulty) }
}

async function applyFault({ fault, reason, seconds }: PlantedSupplierFault, run: () => unknown): Promise<never> {
  if (fault === 'late') await run()
  if (seconds > 0) await sleep(seconds * 1000)
  if (fault === 'reject') throw rejectedError(reason, 'planted: reject')
  if (fault === 'fail') throw retryableError('supplier_fault', 'planted: fail')
  throw unknownError('no_answer', `planted: ${fault}`)
}

/** A call's arguments as text, for matching a number or a key. Tools (any object with a method) and bytes are left out. */
function formatArguments(args: readonly unknown[]): string {
  const plain = (_name: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : isTool(value) ? undefined : value)
  return JSON.stringify(
    args.filter((arg) => !isTool(arg)),
    plain,
  ).slice(0, 5000)
}

const isTool = (value: unknown): boolean =>
  Buffer.isBuffer(value) ||
  (typeof value === 'object' && value !== null && !(value instanceof Date) && Object.values(value).some((each) => typeof each === 'function'))
