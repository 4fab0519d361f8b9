import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'

/** Maintenance status. Kept separate from the rest of payments because every public page requests it. */
export const maintainContract = defineContract({})({
  maintain: {
    method: 'GET',
    path: '/common/maintain',
    access: 'public',
    summary: 'Maintenance notice and what it closes',
    input: z.object({}),
    reply: z.object({
      isMaintain: z.boolean(),
      startTime: z.string(),
      endTime: z.string(),
      message: z.string(),
      closed: z.array(z.string()),
      /** Days without recharging, announced a week ahead; `isNow`: orders are refused. Null for none. */
      rechargePause: z.object({ from: z.string(), to: z.string(), resumes: z.string(), isNow: z.boolean() }).nullable(),
    }),
    errors: [],
  },
})
