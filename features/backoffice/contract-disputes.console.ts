import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { channelType } from '#features/payments/contract-shapes.ts'
import { backofficeErrors } from './errors.ts'

const time = z.string()
export const disputeKey = { channelType, disputeId: z.string().min(1).max(120) }

/** Chargebacks by a payer's bank, and our evidence against them. */
export const disputesContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  dispute: {
    ...{ method: 'GET', access: 'operator', permission: 'work.read', path: '/operator/dispute' },
    summary: 'One dispute: until when evidence is taken, what is known of its order, and what was handed in',
    input: z.object(disputeKey),
    reply: z.object({
      ...{ orderNo: z.string(), userId: z.string(), state: z.enum(['open', 'won', 'lost']), payAmount: z.string(), currency: z.string() },
      ...{ at: time, closedAt: time.nullable(), dueAt: time.nullable(), isOpen: z.boolean() },
      /** Evidence as submitted, or as it would be; contains no contacts. */
      facts: z.object({ product: z.string(), paidOn: z.string(), receipt: z.string(), use: z.string(), access: z.string() }),
      evidence: z
        .object({ no: z.string(), words: z.string(), state: z.enum(['waiting', 'taken', 'refused']), refusal: z.string(), by: z.string(), at: time })
        .nullable(),
    }),
    errors: ['NOT_FOUND'],
  },
})
