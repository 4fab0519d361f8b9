import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import type { Answer } from '../trades/ask-channels.ts'
import { faultById } from './data.ts'
import { answersAbout, decideFault } from './decide-fault.ts'

export const faultCommands = [
  defineCommand({
    name: 'fault.decide',
    summary: 'Decides a difference that the nightly comparison with a channel’s statement found',
    permission: 'payments.decide',
    money: 'own',
    input: z.object({ faultId: z.string().regex(/^\d{1,18}$/), verdict: z.enum(['approved', 'dismissed']) }),
    subject: async ({ db }, { faultId }) => `fault:${((await faultById(db, BigInt(faultId))) ?? fail('ORDER_NOT_FOUND')).id}`,
    gather: (deps, { faultId, verdict }) => answersAbout(deps, BigInt(faultId), verdict),
    look: async ({ tx }, { faultId }) => {
      const fault = await faultById(tx, BigInt(faultId))
      return { open: fault?.state === 'open', ...(fault ? { class: fault.class, kind: fault.kind, day: fault.day, subject: fault.subject } : {}) }
    },
    run: async ({ deps, by, reason, gathered }, { faultId, verdict }) => ({
      outcome: await decideFault(deps, by, BigInt(faultId), verdict, reason, gathered as Answer[]),
    }),
  }),
] as const
