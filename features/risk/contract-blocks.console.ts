import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'

export const BLOCK_KINDS = ['network', 'mailDomain', 'device', 'payer'] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

export const blocksContract = defineContract(commonErrors)({
  blocks: {
    ...{ method: 'GET', access: 'operator', permission: 'work.read', path: '/operator/blocks' },
    summary: 'Networks, mail domains and devices that may not sign up or in, and payers whose money is sent back, newest first',
    input: z.object({
      kind: z.enum(BLOCK_KINDS).optional(),
      view: z.enum(['kept', 'over']).default('kept'),
      ...{ after: z.string().max(300).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) },
    }),
    reply: z.object({
      rows: z.array(
        z.object({
          ...{ id: z.string(), kind: z.enum(BLOCK_KINDS), value: z.string(), note: z.string(), madeBy: z.string(), madeAt: z.string() },
          ...{ endsAt: z.string(), liftedAt: z.string().nullable(), liftedBy: z.string().nullable() },
        }),
      ),
      next: z.string().nullable(),
    }),
    errors: [],
  },
})
