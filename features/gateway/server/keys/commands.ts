import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { selectPausableKey, pauseKey, resumeKey } from './data.ts'

const input = z.object({ keyId: z.string().min(1).max(60) })
type KeyInput = z.output<typeof input>
const getPausableKey = async (sql: Sql, { keyId }: KeyInput) => (await selectPausableKey(sql, keyId)) ?? fail('KEY_NOT_FOUND')

const common = {
  permission: 'customers.freeze',
  input,
  subject: async ({ db }: Deps, named: KeyInput) => {
    await getPausableKey(db, named)
    return `key:${named.keyId}`
  },
  weigh: async ({ db }: Deps, named: KeyInput) => ({ userId: (await getPausableKey(db, named)).userId }),
  look: async ({ tx }: CommandExecution, named: KeyInput) => {
    const { name, last4, paused } = await getPausableKey(tx, named)
    return { name, last4, keyPaused: paused }
  },
  // its owner may rename it meanwhile
  loose: ['name', 'last4'],
} as const

export const keyCommands = [
  defineCommand({
    ...common,
    name: 'key.pause',
    summary: 'Pauses one API key: refused everywhere within a second, calls under way settle; its owner sees it and cannot resume it',
    run: async ({ tx, deps, by, reason }, { keyId }) => {
      if (!(await pauseKey(tx, keyId, { at: deps.clock.now(), reason, by: `${by.kind}:${by.id}` }))) fail('KEY_NOT_FOUND')
      await tx.audit('key.paused', `key:${keyId}`, { reason })
      return {}
    },
    undo: ({ keyId }) => ({ name: 'key.resume', input: { keyId } }),
  }),
  defineCommand({
    ...common,
    name: 'key.resume',
    summary: 'Lets a paused API key work again, unless its owner has switched it off',
    run: async ({ tx, reason }, { keyId }) => {
      if (!(await resumeKey(tx, keyId))) fail('KEY_NOT_FOUND')
      await tx.audit('key.resumed', `key:${keyId}`, { reason })
      return {}
    },
    undo: ({ keyId }) => ({ name: 'key.pause', input: { keyId } }),
  }),
] as const
