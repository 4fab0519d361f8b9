import { z } from 'zod'
import type { Feature, RawReply, RawRoute } from '#platform/server/feature.ts'
import { clearFaults, SUPPLIER_FAULT_KINDS, selectPlantedFaults, plantFault } from '#platform/server/suppliers/data-faults.ts'

const faultInput = z.strictObject({
  port: z.string(),
  operation: z.string().default('*'),
  /** `none` removes the faults planted for the port. */
  fault: z.enum([...SUPPLIER_FAULT_KINDS, 'none']),
  /** Text that the call must contain: an order number, a task's id. */
  onlyFor: z.string().max(200).default(''),
  reason: z
    .string()
    .regex(/^[a-z_]{1,40}$/)
    .default('refused'),
  times: z.int().min(1).max(10_000).nullable().default(1),
  seconds: z.int().min(0).max(120).default(0),
})

/**
 * Fault injection for sandboxes (docs/vendors/faults.md), the same for every supplier: GET lists ports, operations and planted faults, POST
 * plants or clears. Fake vendor servers keep it.
 */
export function buildFaultRoutes(features: readonly Feature[]): readonly RawRoute[] {
  const ports = features.flatMap(({ suppliers = [] }) => suppliers)
  return [
    {
      method: 'GET',
      path: '/sandbox/faults',
      role: 'sandbox',
      handle: async ({ db }) => {
        const planted = await selectPlantedFaults(db)
        return toJsonReply(200, {
          ports: ports.map(({ port, operations }) => ({ port, operations })),
          faults: SUPPLIER_FAULT_KINDS,
          planted: planted.map(({ id, onlyFor, port, operation, fault, reason, times, seconds }) => ({
            ...{ id: id.toString(), port, operation, fault, onlyFor, reason, times, seconds },
          })),
        })
      },
    },
    {
      method: 'POST',
      path: '/sandbox/faults',
      role: 'sandbox',
      handle: async ({ db }, { body }) => {
        const read = faultInput.safeParse(tryParseJson(body))
        if (!read.success) return toJsonReply(400, { error: z.prettifyError(read.error) })
        const { fault, ...rest } = read.data
        const known = ports.find(({ port }) => port === rest.port)
        if (!known && rest.port !== '*') return toJsonReply(400, { error: `no port ${rest.port}: ${ports.map(({ port }) => port).join(', ')}` })
        if (known && rest.operation !== '*' && !(rest.operation in known.operations))
          return toJsonReply(400, { error: `${rest.port} has no operation ${rest.operation}: ${Object.keys(known.operations).join(', ')}` })
        if (fault === 'none') await clearFaults(db, rest.port)
        else await plantFault(db, { ...rest, fault })
        return toJsonReply(200, { ok: true })
      },
    },
  ]
}

function tryParseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const toJsonReply = (status: number, value: unknown): RawReply => ({ status, type: 'application/json; charset=utf-8', body: JSON.stringify(value) })
