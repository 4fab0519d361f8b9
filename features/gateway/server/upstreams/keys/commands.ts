import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution, CommandFacts } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { lockUpstream } from '../data.ts'
import { insertUpstreamKey, retireUpstreamKey, selectUpstreamKey } from './data.ts'
import { getLast4, sealUpstreamKey } from './upstream-key.ts'

const upstreamId = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/)
/** A header value: printable, without spaces. */
const credential = z
  .string()
  .trim()
  .min(8)
  .max(500)
  .regex(/^[\x21-\x7e]+$/)
  .meta({ format: 'password' })

const upstreamSubject = async (_deps: unknown, input: { upstreamId: string }) => `upstream:${input.upstreamId}`
async function previewKey({ tx }: CommandExecution, input: { upstreamId: string }): Promise<CommandFacts> {
  const row = await selectUpstreamKey(tx, input.upstreamId)
  return { keyFrom: row ? 'operator' : 'environment', keyEnds: row?.last4 ?? null }
}
const common = { permission: 'routes.change', subject: upstreamSubject, look: previewKey } as const

/** Commands for the credentials of upstreams: stored by operators, never shown again. */
export const upstreamKeyCommands = [
  defineCommand({
    ...common,
    name: 'upstream.set-key',
    summary: 'Sets the key for calls to an upstream, in place of the previous one; it is sealed and never shown again',
    input: z.object({ upstreamId, credential }),
    conceal: (input) => ({ credential: `…${getLast4(input.credential)}` }),
    run: async ({ tx, deps, by, reason }, input) => {
      const [id, now] = [input.upstreamId, deps.clock.now()]
      if (!(await lockUpstream(tx, id))) fail('NOT_FOUND')
      const before = await retireUpstreamKey(tx, id, { by: by.id, at: now })
      const keyId = createId('upk', now.getTime())
      const last4 = getLast4(input.credential)
      await insertUpstreamKey(tx, {
        ...{ keyId, upstreamId: id, sealed: sealUpstreamKey(deps.secretKey, keyId, input.credential), last4, addedBy: by.id, addedAt: now },
      })
      await tx.audit('gateway.upstream-key-set', `upstream:${id}`, { key: keyId, ends: last4, before: before?.last4 ?? null, reason })
      return {}
    },
  }),
  defineCommand({
    ...common,
    name: 'upstream.retire-key',
    summary: 'Removes an upstream’s key for good; the one that its row names in the environment is used again, if there is one',
    input: z.object({ upstreamId }),
    run: async ({ tx, deps, by, reason }, input) => {
      if (!(await lockUpstream(tx, input.upstreamId))) fail('NOT_FOUND')
      const gone = (await retireUpstreamKey(tx, input.upstreamId, { by: by.id, at: deps.clock.now() })) ?? fail('NOT_FOUND')
      await tx.audit('gateway.upstream-key-retired', `upstream:${input.upstreamId}`, { key: gone.keyId, ends: gone.last4, reason })
      return {}
    },
  }),
] as const
