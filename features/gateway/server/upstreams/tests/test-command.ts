import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { vendors } from '../../vendors/index.ts'
import { selectRoutes, selectKnownModels, selectUpstream } from '../data.ts'
import { selectUpstreamKey } from '../keys/data.ts'
import { insertTestCall } from './data.ts'
import { pickTestDialect } from './small-call.ts'

/** Sends a few words through one upstream; requested here, sent by a worker after the commit. */
export const testUpstream = defineCommand({
  name: 'upstream.test',
  summary: 'Makes one small call to a model through exactly this upstream, at our own cost; result, latency and cost are shown beside it',
  permission: 'routes.change',
  input: z.object({ upstreamId: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/), model: z.string().min(1).max(200) }),
  subject: async (_deps, { upstreamId }) => `upstream:${upstreamId}`,
  look: async ({ tx }, { upstreamId }) => {
    const key = await selectUpstreamKey(tx, upstreamId)
    return { keyFrom: key ? 'operator' : 'environment', keyEnds: key?.last4 ?? null }
  },
  run: async ({ tx, deps, by, reason }, { upstreamId, model }) => {
    const row = await selectUpstream(tx, upstreamId)
    const vendor = vendors.find(({ id }) => id === (row?.vendor ?? upstreamId)) ?? fail('NOT_FOUND')
    const known = (await selectKnownModels(tx, [model]))[0] ?? fail('BAD_INPUT', { fields: ['model'] })
    const route = (await selectRoutes(tx)).find((each) => each.upstreamId === upstreamId && each.modelId === model)
    const dialect = pickTestDialect(known.dialects, route?.dialects ?? vendor.dialects) ?? fail('BAD_INPUT', { fields: ['model'] })
    const now = deps.clock.now()
    const id = createId('gtc', now.getTime())
    await insertTestCall(tx, {
      ...{ testId: id, upstreamId, modelId: model, upstreamModel: route?.upstreamModel ?? model, dialect },
      ...{ costBp: route?.costBp ?? 10_000, askedBy: by.id, askedAt: now },
    })
    await deps.jobs.send(tx, 'gateway.test-call', { id })
    await tx.audit('gateway.test-asked', `upstream:${upstreamId}`, { test: id, model, reason })
    return { test: id }
  },
})
