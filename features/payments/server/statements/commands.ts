import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import type { ChannelAnswer } from '../trades/query-channels.ts'
import { selectDiscrepancyById } from './data.ts'
import { queryDiscrepancyOrder, decideDiscrepancy } from './decide-discrepancy.ts'

export const discrepancyCommands = [
  defineCommand({
    name: 'fault.decide',
    summary: 'Decides a difference that the nightly comparison with a channel’s statement found',
    permission: 'payments.decide',
    money: 'own',
    input: z.object({ faultId: z.string().regex(/^\d{1,18}$/), verdict: z.enum(['approved', 'dismissed']) }),
    subject: async ({ db }, { faultId }) => `fault:${((await selectDiscrepancyById(db, BigInt(faultId))) ?? fail('ORDER_NOT_FOUND')).id}`,
    gather: (deps, { faultId, verdict }) => queryDiscrepancyOrder(deps, BigInt(faultId), verdict),
    look: async ({ tx }, { faultId }) => {
      const fault = await selectDiscrepancyById(tx, BigInt(faultId))
      return { open: fault?.state === 'open', ...(fault ? { class: fault.class, kind: fault.kind, day: fault.day, subject: fault.subject } : {}) }
    },
    run: async ({ deps, by, reason, gathered }, { faultId, verdict }) => ({
      outcome: await decideDiscrepancy(deps, by, BigInt(faultId), verdict, reason, gathered as ChannelAnswer[]),
    }),
  }),
] as const
