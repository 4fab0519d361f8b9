import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { changeRoutes, changeUpstream, readCheapestFirst, preferCheapest, removeRoutes } from './change-routes.ts'
import type { RouteChange, UpstreamChange } from './change-routes.ts'
import { selectRoutes, countOpenCallsByUpstream, selectUpstream } from './data.ts'
import { upstreamKeyCommands } from './keys/commands.ts'
import { testUpstream } from './tests/test-command.ts'

const id = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/)
const limit = z.int().min(1).max(86_400_000).nullable().optional()
const upstream = { upstreamId: id }
const models = z.array(z.string().min(1).max(200)).min(1).max(200)
const STATES = ['active', 'draining', 'off'] as const

const upstreamSubject = async (_deps: unknown, { upstreamId }: { upstreamId: string }) => `upstream:${upstreamId}`

/** Previews an upstream. The number of open calls changes without a command. */
async function previewUpstream({ tx }: CommandExecution, { upstreamId }: { upstreamId: string }): Promise<CommandFacts> {
  const row = await selectUpstream(tx, upstreamId)
  if (!row) return { exists: false }
  // not every operator who may view this may see the location of a credential
  const { upstreamId: _id, credentialEnv: _env, ...rest } = row
  return { exists: true, ...rest, openCalls: (await countOpenCallsByUpstream(tx)).get(upstreamId) ?? 0 }
}

async function previewRoutes(
  { tx }: CommandExecution,
  { upstreamId, models: named }: { upstreamId: string; models: readonly string[] },
): Promise<CommandFacts> {
  const rows = (await selectRoutes(tx)).filter((row) => row.upstreamId === upstreamId && named.includes(row.modelId))
  return Object.fromEntries(
    named.map((model) => {
      const row = rows.find((each) => each.modelId === model)
      return [
        model,
        row
          ? `${row.upstreamModel}, priority ${row.priority}, weight ${row.weight}, cost ${row.costBp} bp, ${row.dialects?.join('+') ?? 'all dialects'}`
          : 'none',
      ]
    }),
  )
}

/** Drops undefined fields: absent means unchanged. */
const omitUndefined = <T extends object>(change: T) => Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as T

const common = { permission: 'routes.change' } as const
const ofUpstream = { ...common, subject: upstreamSubject, look: previewUpstream, loose: ['openCalls'] } as const
const ofRoutes = { ...common, subject: upstreamSubject, look: previewRoutes } as const

export const routeCommands = [
  ...upstreamKeyCommands,
  testUpstream,
  defineCommand({
    ...ofUpstream,
    name: 'upstream.state',
    summary: 'Activates an upstream, drains it (calls under way end, no new ones), or turns it off',
    input: z.object({ ...upstream, state: z.enum(STATES) }),
    run: async ({ deps, by, reason, tx }, { upstreamId, state }) => {
      if (!(await selectUpstream(tx, upstreamId))) fail('NOT_FOUND')
      await changeUpstream(deps.db, by, { id: upstreamId, change: { state }, reason })
      return {}
    },
    undo: ({ upstreamId }, before) => ({ name: 'upstream.state', input: { upstreamId, state: before['state'] } }),
  }),
  defineCommand({
    ...ofUpstream,
    name: 'upstream.change',
    summary: 'Adds an upstream or changes its address, limits and patience',
    input: z.object({
      ...upstream,
      ...{ vendor: z.string().max(60).optional(), baseUrl: z.string().max(500).optional(), credentialEnv: z.string().max(80).optional() },
      ...{ billsAfterAbort: z.boolean().nullable().optional(), concurrent: limit, perMinute: limit, firstByteMs: limit, betweenMs: limit },
      ...{ queueLength: z.int().min(0).max(100_000).optional(), queueMs: z.int().min(1).max(600_000).optional() },
    }),
    run: async ({ deps, by, reason }, { upstreamId, ...change }) => {
      await changeUpstream(deps.db, by, { id: upstreamId, change: omitUndefined(change) as UpstreamChange, reason })
      return {}
    },
  }),
  defineCommand({
    ...ofRoutes,
    name: 'route.change',
    summary: 'Has models served by an upstream, or changes priority, weight and cost',
    input: z.object({
      ...{ ...upstream, models, upstreamModel: z.string().min(1).max(200).optional() },
      ...{ priority: z.int().min(0).max(1000).optional(), weight: z.int().min(1).max(10_000).optional(), costBp: z.int().min(0).max(1_000_000).optional() },
      ...{ dialects: z.array(z.string().max(40)).min(1).max(20).nullable().optional(), firstByteMs: limit, betweenMs: limit },
    }),
    run: async ({ deps, by, reason }, { upstreamId, models: named, ...change }) => {
      await changeRoutes(deps.db, by, { upstream: upstreamId, models: named, change: omitUndefined(change) as RouteChange, reason })
      return {}
    },
    // a changed weight is restored; a new route is removed
    undo: ({ upstreamId, models: named, weight }, before) => {
      if (named.every((model) => before[model] === 'none')) return { name: 'route.remove', input: { upstreamId, models: named } }
      const was = new Set(named.map((model) => /weight (\d+)/.exec(String(before[model]))?.[1]))
      return weight !== undefined && was.size === 1 ? { name: 'route.change', input: { upstreamId, models: named, weight: Number([...was][0]) } } : undefined
    },
  }),
  defineCommand({
    ...ofRoutes,
    name: 'route.remove',
    summary: 'Takes routes away; a model without any is served by the environment’s keys',
    input: z.object({ ...upstream, models }),
    run: async ({ deps, by, reason }, { upstreamId, models: named }) => {
      await removeRoutes(deps.db, by, { upstream: upstreamId, models: named, reason })
      return {}
    },
  }),
  defineCommand({
    ...common,
    name: 'route.cheapest',
    summary: 'Sets whether price decides between upstreams of one priority',
    input: z.object({ on: z.boolean() }),
    subject: async () => 'routes',
    look: async ({ tx }) => ({ on: await readCheapestFirst(tx) }),
    run: async ({ deps, by }, { on }) => {
      await preferCheapest(deps.db, by, on)
      return {}
    },
    undo: (_input, before) => ({ name: 'route.cheapest', input: { on: before['on'] } }),
  }),
] as const
