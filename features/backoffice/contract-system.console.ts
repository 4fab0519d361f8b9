import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { backofficeErrors } from './errors.ts'

const read = { method: 'GET', access: 'operator', permission: 'work.read' } as const

/** How the installation is, and how the business does. */
export const systemContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  system: {
    ...{ ...read, path: '/operator/system', summary: 'Nodes, migrations, queues, news that waits, and what asks for somebody' },
    input: z.object({}),
    reply: z.object({
      database: z.object({ version: z.string(), bytes: z.number(), connections: z.number(), most: z.number() }),
      nodes: z.array(z.object({ node: z.string(), beatAt: z.string(), openCalls: z.number(), isAlive: z.boolean() })),
      migrations: z.object({ applied: z.number(), newest: z.string(), at: z.string() }),
      queues: z.array(
        z.object({ name: z.string(), waiting: z.number(), active: z.number(), retrying: z.number(), failed: z.number(), oldest: z.string().nullable() }),
      ),
      news: z.object({ waiting: z.number(), oldest: z.string().nullable() }),
      /** Each with the page of docs/runbooks that says what to do. */
      alarms: z.array(z.object({ name: z.string(), detail: z.string(), runbook: z.string() })),
      bulks: z.number(),
    }),
    errors: [],
  },
  figures: {
    ...{ ...read, path: '/operator/figures', summary: 'Days of the business: money in and out, margin, customers, calls, the way from sign-up to first call' },
    input: z.object({ days: z.coerce.number().int().min(7).max(90).default(30) }),
    reply: z.object({
      days: z.array(
        z.object({
          ...{ day: z.string(), received: z.string(), paidBack: z.string(), charged: z.string(), costs: z.string(), margin: z.string() },
          ...{ customers: z.number(), calls: z.number(), failed: z.number(), signUps: z.number() },
        }),
      ),
      funnel: z.object({ signedUp: z.number(), paid: z.number(), called: z.number() }),
    }),
    errors: [],
  },
})
