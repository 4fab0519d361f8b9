import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'

export const locksContract = defineContract(commonErrors)({
  locks: {
    ...{ method: 'GET', access: 'operator', permission: 'work.read', path: '/operator/locks' },
    summary: 'Accounts that strangers cannot sign in to for the moment, because the password was wrong too often',
    input: z.object({ after: z.string().max(300).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) }),
    reply: z.object({
      rows: z.array(z.object({ userId: z.string(), contact: z.string(), failures: z.number(), endsAt: z.string() })),
      next: z.string().nullable(),
    }),
    errors: [],
  },
})
