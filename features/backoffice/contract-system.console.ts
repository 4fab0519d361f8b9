import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { alarmRow } from './contract-alarms.console.ts'
import { backofficeErrors } from './errors.ts'

const read = { method: 'GET', access: 'operator', permission: 'work.read' } as const

/** Status of the installation, and figures of the business. */
export const systemContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  system: {
    ...{ ...read, path: '/operator/system', summary: 'Nodes, migrations, queues, undelivered events, and what needs attention' },
    input: z.object({}),
    reply: z.object({
      database: z.object({ version: z.string(), bytes: z.number(), connections: z.number(), most: z.number() }),
      nodes: z.array(z.object({ node: z.string(), beatAt: z.string(), openCalls: z.number(), isAlive: z.boolean() })),
      migrations: z.object({ applied: z.number(), newest: z.string(), at: z.string() }),
      queues: z.array(
        z.object({ name: z.string(), waiting: z.number(), active: z.number(), retrying: z.number(), failed: z.number(), oldest: z.string().nullable() }),
      ),
      news: z.object({ waiting: z.number(), oldest: z.string().nullable() }),
      alarms: z.array(alarmRow),
      bulks: z.number(),
    }),
    errors: [],
  },
  supplies: {
    ...{ ...read, path: '/operator/supplies', summary: 'Balances at suppliers and channels over two weeks, and when certificates expire' },
    input: z.object({}),
    reply: z.object({
      sources: z.array(
        z.object({
          ...{ source: z.string(), lookedAt: z.string(), failingSince: z.string().nullable(), problem: z.string().nullable() },
          balances: z.array(
            z.object({
              ...{ currency: z.string(), amount: z.string(), floor: z.string().nullable(), isLow: z.boolean() },
              points: z.array(z.object({ at: z.string(), amount: z.string() })),
            }),
          ),
        }),
      ),
      certificates: z.array(
        z.object({
          ...{ name: z.string(), issuer: z.string(), expiresAt: z.string().nullable(), days: z.number().nullable(), isSoon: z.boolean() },
          ...{ failingSince: z.string().nullable(), problem: z.string().nullable() },
        }),
      ),
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
