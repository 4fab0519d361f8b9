import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { DESK_SUPPLIER } from '../service.ts'
import { findAccountByRef, upsertAccount, listSeatAvailability, updateAccountState } from './data.ts'

const ref = z.string().trim().min(1).max(80)
const named = z.object({ supplier: z.string().max(40).default(DESK_SUPPLIER), ref })
const requireAccount = async (sql: Sql, { supplier, ref: name }: z.output<typeof named>) => (await findAccountByRef(sql, supplier, name)) ?? fail('NOT_FOUND')
const subject = async (_deps: unknown, input: z.output<typeof named>) => `flex-account:${input.supplier}/${input.ref}`

export const seatCommands = [
  defineCommand({
    name: 'flex.account',
    summary: 'Puts up the seats of a shared account that people at the desk look after, or more seats of it',
    permission: 'services.pause',
    input: named.extend({ platform: z.union([z.literal(1), z.literal(2), z.literal(6)]), tier: z.string().max(20), seats: z.int().min(1).max(500) }),
    subject,
    look: async ({ tx }, { platform, tier }) => ({
      free: (await listSeatAvailability(tx)).find((each) => each.platform === platform && each.tier === tier)?.free ?? 0,
    }),
    loose: ['free'],
    run: async ({ tx }, { supplier, ref: name, platform, tier, seats }) => {
      const account = await upsertAccount(tx, { supplier, ref: name, platform, tier, seats, lost: false })
      await tx.audit('flex.account_kept', `flex-account:${supplier}/${name}`, { platform, tier, seats })
      return { state: account.state, seats }
    },
  }),
  defineCommand({
    name: 'flex.account-state',
    summary: 'Sells nothing more of a shared account (closed), sells it again (open), or says that it is lost: its members get the days left back',
    permission: 'services.pause',
    input: named.extend({ state: z.enum(['open', 'closed', 'lost']) }),
    subject,
    look: async ({ tx }, input) => ({ state: (await requireAccount(tx, input)).state }),
    run: async ({ tx }, input) => {
      const account = await requireAccount(tx, input)
      await updateAccountState(tx, account.id, input.state)
      await tx.audit('flex.account_state', `flex-account:${input.supplier}/${input.ref}`, { state: input.state })
      return { state: input.state }
    },
    undo: ({ supplier, ref: name }, before) => ({ name: 'flex.account-state', input: { supplier, ref: name, state: before['state'] } }),
  }),
]
