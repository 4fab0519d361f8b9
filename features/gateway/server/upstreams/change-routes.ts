import { z } from 'zod'
import type { Db, Sql } from '#platform/server/database/db.ts'
import { createSettings } from '#platform/server/settings.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor, Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { notifyRoutesChanged, deleteRoute, selectKnownModels, lockRoute, lockUpstream, selectUpstreamsByEnv, writeRoute, writeUpstream } from './data.ts'
import type { RouteRow, UpstreamRow } from './data.ts'
import { canSendCredential } from './keys/can-send-credential.ts'
import { retireUpstreamKey } from './keys/data.ts'
import { DIALECTS } from '../hot/dialects/index.ts'
import { cheapestFirst } from '../settings.ts'
import { vendors } from '../vendors/index.ts'

/** Fields of an upstream that an operator may change; absent ones keep their value or the table's default. */
export type UpstreamChange = Partial<Omit<UpstreamRow, 'upstreamId'>>
export type RouteChange = Partial<Omit<RouteRow, 'modelId' | 'upstreamId'>>

const NEW_UPSTREAM = {
  billsAfterAbort: null,
  concurrent: null,
  perMinute: null,
  queueLength: 200,
  queueMs: 10_000,
  firstByteMs: null,
  betweenMs: null,
  state: 'active',
} as const

/** Default name of the key's environment variable; a key may be stored instead. */
const defaultCredentialEnv = (id: string) =>
  `UPSTREAM_${id
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '_')
    .slice(0, 56)}_KEY`

const positiveLimit = (most: number) => z.int().min(1).max(most).nullable()
const upstreamSchema = z.object({
  upstreamId: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/),
  vendor: z.enum(vendors.map((vendor) => vendor.id) as [string, ...string[]]),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .refine((text) => !/[?#]/.test(text))
    .transform((text) => text.replace(/\/+$/, '')),
  credentialEnv: z.string().regex(/^(?:UPSTREAM_[A-Z0-9_]{1,60}|[A-Z]+_API_KEY|SANDBOX_UPSTREAM_KEY)$/),
  billsAfterAbort: z.boolean().nullable(),
  concurrent: positiveLimit(1_000_000),
  perMinute: positiveLimit(1_000_000),
  queueLength: z.int().min(0).max(100_000),
  queueMs: z.int().min(1).max(600_000),
  firstByteMs: positiveLimit(86_400_000),
  betweenMs: positiveLimit(86_400_000),
  state: z.enum(['active', 'draining', 'off']),
})
const routeSchema = z.object({
  modelId: z.string(),
  upstreamId: z.string(),
  upstreamModel: z.string().min(1).max(200),
  priority: z.int().min(0).max(1000),
  weight: z.int().min(1).max(10_000),
  costBp: z.int().min(0).max(1_000_000),
  dialects: z
    .array(z.enum(Object.keys(DIALECTS) as [string, ...string[]]))
    .min(1)
    .nullable(),
  firstByteMs: positiveLimit(86_400_000),
  betweenMs: positiveLimit(86_400_000),
})

/** Adds or changes an upstream; every gateway process is notified at once. BAD_INPUT names the invalid field. */
export async function changeUpstream(
  db: Db,
  by: Actor,
  { id, change, reason }: { readonly id: string; readonly change: UpstreamChange; readonly reason: string },
): Promise<UpstreamRow> {
  // In usage rows, the vendors' own ids denote the environment's keys.
  if (vendors.some((vendor) => vendor.id === id)) fail('BAD_INPUT', { field: 'upstreamId', taken: id })
  return transact(db, by, async (tx) => {
    const before = await lockUpstream(tx, id)
    const row = parseInput(upstreamSchema, { ...NEW_UPSTREAM, credentialEnv: defaultCredentialEnv(id), ...before, ...change, upstreamId: id }) as UpstreamRow
    if (!canSendCredential(row) || (await isNamedElsewhere(tx, row))) fail('BAD_INPUT', { fields: ['credentialEnv'] })
    await writeUpstream(tx, row)
    if (before && new URL(before.baseUrl).origin !== new URL(row.baseUrl).origin) await retireKeyOfOldAddress(tx, id, { by, reason })
    await tx.audit('gateway.upstream-changed', `upstream:${id}`, { reason, before: before ?? null, after: row })
    return row
  })
}

/** A variable holds the key of one origin: upstreams may share it only if they share the origin. */
async function isNamedElsewhere(tx: Tx, { upstreamId: id, credentialEnv: name, baseUrl: url }: UpstreamRow): Promise<boolean> {
  return (await selectUpstreamsByEnv(tx, name)).some((row) => row.upstreamId !== id && new URL(row.baseUrl).origin !== new URL(url).origin)
}

/** Retires the stored key when the address changes: a key is valid for one address only. */
async function retireKeyOfOldAddress(tx: Tx, id: string, { by, reason }: { readonly by: Actor; readonly reason: string }): Promise<void> {
  const gone = await retireUpstreamKey(tx, id, { by: by.id, at: new Date() })
  if (gone) await tx.audit('gateway.upstream-key-retired', `upstream:${id}`, { key: gone.keyId, ends: gone.last4, reason })
}

/** Adds or changes routes of models to an upstream. A model with a route is served by its routes only. */
export async function changeRoutes(
  db: Db,
  by: Actor,
  {
    upstream,
    models,
    change,
    reason,
  }: { readonly upstream: string; readonly models: readonly string[]; readonly change: RouteChange; readonly reason: string },
): Promise<RouteRow[]> {
  return transact(db, by, async (tx) => {
    const server = await lockUpstream(tx, upstream)
    if (!server) fail('BAD_INPUT', { unknown: upstream })
    const known = new Map((await selectKnownModels(tx, models)).map((model) => [model.modelId, model]))
    const spoken = new Set<string>(vendors.find((vendor) => vendor.id === server.vendor)?.dialects)
    const rows: RouteRow[] = []
    for (const id of models) {
      const model = known.get(id)
      if (!model) fail('BAD_INPUT', { unknown: id })
      const before = await lockRoute(tx, id, upstream)
      const fresh = { upstreamModel: id, priority: 0, weight: 100, costBp: 10_000, dialects: null, firstByteMs: null, betweenMs: null }
      const row = parseInput(routeSchema, { ...fresh, ...before, ...change, modelId: id, upstreamId: upstream }) as RouteRow
      if (!(row.dialects ?? model.dialects).some((dialect) => spoken.has(dialect) && model.dialects.includes(dialect)))
        fail('BAD_INPUT', { field: 'dialects', model: id, vendor: server.vendor })
      await writeRoute(tx, row)
      await tx.audit('gateway.route-changed', `model:${id}`, { reason, before: before ?? null, after: row })
      rows.push(row)
    }
    return rows
  })
}

/** Removes routes. A model without any is served by the environment's keys again. */
export async function removeRoutes(
  db: Db,
  by: Actor,
  { upstream, models, reason }: { readonly upstream: string; readonly models: readonly string[]; readonly reason: string },
): Promise<void> {
  await transact(db, by, async (tx) => {
    for (const model of models) {
      const before = await lockRoute(tx, model, upstream)
      if (!before) fail('BAD_INPUT', { unknown: `${model} at ${upstream}` })
      await deleteRoute(tx, model, upstream)
      await tx.audit('gateway.route-removed', `model:${model}`, { reason, before })
    }
  })
}

/** Sets if price decides between upstreams of equal priority. */
export async function preferCheapest(db: Db, by: Actor, value: boolean): Promise<void> {
  await transact(db, by, async (tx) => {
    await createSettings(db).set(tx, cheapestFirst, value)
    await notifyRoutesChanged(tx)
  })
}

export const readCheapestFirst = (sql: Sql) => createSettings(sql, -1).get(cheapestFirst)

function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  return fail('BAD_INPUT', { fields: result.error.issues.map((issue) => issue.path.join('.')) })
}
