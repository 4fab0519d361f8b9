import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { ALARM_SEVERITIES, ALARM_ROUTE_KINDS } from './alarms.ts'
import { backofficeErrors } from './errors.ts'

const read = { method: 'GET', access: 'operator', permission: 'work.read' } as const
const act = { method: 'POST', access: 'operator', permission: 'alarms.answer' } as const
const id = z.string().min(1).max(80)
const severity = z.enum(ALARM_SEVERITIES)

export const alarmRow = z.object({
  ...{ id: z.string(), name: z.string(), key: z.string(), severity, detail: z.string(), times: z.number() },
  /** Runbook: file name in docs/runbooks. */
  ...{ runbook: z.string(), raisedAt: z.string(), lastAt: z.string(), takenBy: z.string().nullable(), takenAt: z.string().nullable() },
  closedAt: z.string().nullable(),
})
const delivery = z.object({
  ...{ id: z.string(), wayId: z.string(), kind: z.enum(['raised', 'closed', 'test']), state: z.enum(['waiting', 'sent', 'failed']) },
  ...{ attempts: z.number(), problem: z.string().nullable(), at: z.string(), endedAt: z.string().nullable() },
})

/** Alarms, their notification routes and deliveries. */
export const alarmsContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  alarms: {
    ...{ ...read, path: '/operator/alarms', summary: 'Alarms that are open, the worst first, or those that are over, newest first' },
    input: z.object({
      view: z.enum(['open', 'over']).default('open'),
      ...{ after: z.string().max(300).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) },
    }),
    reply: z.object({ rows: z.array(alarmRow), next: z.string().nullable() }),
    errors: [],
  },
  alarm: {
    ...{ ...read, path: '/operator/alarm', summary: 'One alarm with its deliveries' },
    input: z.object({ id }),
    reply: z.object({ alarm: alarmRow, deliveries: z.array(delivery) }),
    errors: ['NOT_FOUND'],
  },
  alarmWays: {
    ...{ ...read, path: '/operator/alarm/ways', summary: 'Which operator receives which alarms, by which way, and the last result' },
    input: z.object({}),
    reply: z.object({
      /** Minutes after which a serious alarm is also delivered in quiet hours. */
      escalateMinutes: z.number(),
      ways: z.array(
        z.object({
          ...{ id: z.string(), operatorId: z.string(), operatorName: z.string(), kind: z.enum(ALARM_ROUTE_KINDS), address: z.string(), severity },
          ...{ waitMinutes: z.number(), quietFrom: z.string().nullable(), quietTo: z.string().nullable(), last: delivery.nullable() },
        }),
      ),
    }),
    errors: [],
  },
  testAlarm: {
    ...{ ...act, path: '/operator/alarm/test', summary: 'Sends a test by one way; five in ten minutes' },
    input: z.object({ wayId: id }),
    reply: z.object({ id: z.string() }),
    errors: ['NOT_FOUND', 'TOO_MANY', 'OPERATOR_TOKEN'],
  },
  hookSecret: {
    ...{ ...act, path: '/operator/alarm/secret', summary: 'The secret that signs a webhook, with its whole address; showing it is written down' },
    input: z.object({ wayId: id }),
    reply: z.object({ secret: z.string(), url: z.string() }),
    errors: ['NOT_FOUND', 'OPERATOR_STEP_UP', 'OPERATOR_TOKEN'],
  },
})
