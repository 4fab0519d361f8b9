import { z } from 'zod'
import { defineContract, fileReply } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { backofficeErrors } from './errors.ts'

const id = z.string().min(1).max(80)
const own = { access: 'operator' } as const
const get = { method: 'GET' } as const
const post = { method: 'POST' } as const

/** Reading, exporting and verifying the audit log. */
export const auditContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  audit: {
    ...{ ...get, ...own, path: '/operator/audit', summary: 'Audit rows, newest first', permission: 'audit.read' },
    input: z.object({
      ...{
        actor: z.string().max(100).optional(),
        target: z.string().max(200).optional(),
        actions: z.string().max(500).optional(),
        except: z.string().max(500).optional(),
      },
      ...{ from: z.iso.datetime({ offset: true }).optional(), to: z.iso.datetime({ offset: true }).optional() },
      ...{
        before: z
          .string()
          .regex(/^\d{1,18}$/)
          .optional(),
        limit: z.coerce.number().int().min(1).max(500).default(100),
      },
    }),
    reply: z.object({
      rows: z.array(
        z.object({
          ...{ id: z.string(), at: z.string(), actorKind: z.string(), actorId: z.string(), action: z.string(), target: z.string() },
          ...{ data: z.record(z.string(), z.unknown()), seq: z.string().nullable() },
        }),
      ),
      before: z.string().nullable(),
    }),
    errors: [],
  },
  auditFile: {
    ...{ ...get, ...own, path: '/operator/audit.csv', summary: 'Operator actions as CSV; its last line is the chain’s head', permission: 'audit.read' },
    input: z.object({ from: z.iso.date(), to: z.iso.date() }),
    reply: fileReply,
    errors: [],
  },
  verifyAudit: {
    ...{ ...get, ...own, path: '/operator/audit/verify', summary: 'Recomputes the chain and names tampered rows', permission: 'audit.read' },
    input: z.object({
      head: z
        .string()
        .regex(/^\d{1,18}:[0-9a-f]{64}$/)
        .optional(),
    }),
    reply: z.object({ head: z.string(), rows: z.number(), faults: z.array(z.object({ seq: z.string(), auditId: z.string(), what: z.string() })) }),
    errors: [],
  },
  viewAs: {
    ...{
      ...post,
      ...own,
      path: '/operator/viewAs',
      summary: 'Shows an account as its customer sees it: read only, a quarter of an hour, told to the customer',
    },
    permission: 'customers.view',
    input: z.object({ userId: id, reason: z.string().trim().min(10).max(500) }),
    reply: z.object({ url: z.string(), endsAt: z.string() }),
    errors: ['REVEAL_LIMIT', 'OPERATOR_TOKEN'],
  },
  reveal: {
    ...{ ...post, ...own, path: '/operator/reveal', summary: 'Shows one contact of a customer, for a reason, counted', permission: 'contacts.reveal' },
    input: z.object({ userId: id, what: z.enum(['email', 'mobile']), reason: z.string().trim().min(10).max(500) }),
    reply: z.object({ value: z.string().nullable(), leftToday: z.number() }),
    errors: ['REVEAL_LIMIT', 'OPERATOR_TOKEN'],
  },
})
