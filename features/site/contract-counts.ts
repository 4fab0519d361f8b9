import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'

/** Counts that the landing page may show in public. */
export const INDEX_COUNTS = ['users', 'cards', 'calls'] as const
export type IndexCount = (typeof INDEX_COUNTS)[number]

/** Separate from the site's contract, which the landing page loads first: no page calls this endpoint. */
export const countsContract = defineContract(commonErrors)({
  indexCount: {
    method: 'GET',
    path: '/common/indexCount/{type}',
    access: 'public',
    summary: 'How many users, cards or calls there are, rounded down to two digits; null while operators show none',
    input: z.object({ type: z.enum(INDEX_COUNTS) }),
    reply: z.object({ type: z.enum(INDEX_COUNTS), count: z.number().int().nullable() }),
    errors: [],
  },
})
