import { z } from 'zod'
import { defineContract, emptyReply } from '#platform/shared/contract.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { backofficeErrors } from './errors.ts'

/** Kinds of work items. A new kind needs its query in `server/desk/data-work.ts`. */
export const WORK_KINDS = [
  'withdrawal',
  'refund',
  'suspense',
  'dispute',
  'fault',
  'conversation',
  'complaint',
  'invoice',
  'review',
  'identity',
  'approval',
  'glass',
  'supplier',
  'silent',
] as const
export type WorkKind = (typeof WORK_KINDS)[number]
export const WORK_VIEWS = ['mine', 'second', 'late', 'large'] as const

const amount = z.string().nullable()
export const workRow = z.object({
  /** Lease key, such as `withdrawal:W20261122-…`. */
  ...{ id: z.string(), kind: z.enum(WORK_KINDS), title: z.string(), note: z.string(), detail: z.string() },
  /** Amount in dollars or in the channel's currency. */
  ...{ userId: z.string().nullable(), amount, currency: z.string() },
  ...{ since: z.string(), dueAt: z.string(), targetMinutes: z.number(), risk: z.enum(['low', 'middle', 'high']) },
  taken: z.object({ operatorId: z.string(), name: z.string(), until: z.string() }).nullable(),
  /** Command about the item that waits for approval. */
  waiting: z.object({ no: z.string(), askedBy: z.string(), isOwn: z.boolean() }).nullable(),
})
export type WorkRow = z.output<typeof workRow>

/** Paging of every console list: rows after a cursor, and the cursor of the next page. */
export const listPageInput = { after: z.string().max(300).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) } as const
export const listPageReply = <R extends z.ZodType>(row: R) => z.object({ rows: z.array(row), next: z.string().nullable() })

const read = { method: 'GET', access: 'operator', permission: 'work.read' } as const satisfies Partial<Endpoint>
const act = { method: 'POST', access: 'operator', permission: 'work.read' } as const satisfies Partial<Endpoint>
const item = z.string().min(3).max(200)

export const workDeskContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  work: {
    ...{ ...read, path: '/operator/work', summary: 'All that waits for a person, the earliest due first' },
    input: z.object({ ...listPageInput, kind: z.enum(WORK_KINDS).optional(), view: z.enum(WORK_VIEWS).optional() }),
    reply: listPageReply(workRow),
    errors: [],
  },
  workCounts: {
    ...{ ...read, path: '/operator/work/counts', summary: 'How much waits, by kind and by view; the same rows as the list' },
    input: z.object({}),
    reply: z.object({ total: z.number(), kinds: z.record(z.string(), z.number()), views: z.record(z.string(), z.number()), lastDoneAt: z.string().nullable() }),
    errors: [],
  },
  workItem: {
    ...{ ...read, path: '/operator/work/item', summary: 'One item of the work list; NOT_FOUND once it is done' },
    input: z.object({ id: item }),
    reply: workRow,
    errors: ['NOT_FOUND'],
  },
  take: {
    ...{ ...act, path: '/operator/work/take', summary: 'Takes an item for fifteen minutes, so that no two operators work on it; taking it again extends that' },
    input: z.object({ id: item }),
    reply: z.object({ until: z.string() }),
    errors: ['NOT_FOUND', 'WORK_TAKEN', 'OPERATOR_TOKEN'],
  },
  putBack: {
    ...{ ...act, path: '/operator/work/putBack', summary: 'Puts an item back, so that others can take it' },
    input: z.object({ id: item }),
    reply: emptyReply,
    errors: ['OPERATOR_TOKEN'],
  },
  counts: {
    ...{ ...read, path: '/operator/counts', summary: 'Counts for the navigation' },
    input: z.object({}),
    reply: z.object({ counts: z.record(z.string(), z.number()) }),
    errors: [],
  },
  find: {
    ...{ ...read, path: '/operator/find', summary: 'Customers, orders, withdrawals, invoices, keys and calls by id or contact' },
    input: z.object({ q: z.string().trim().min(3).max(254) }),
    reply: z.object({
      hits: z.array(z.object({ kind: z.enum(['customer', 'order', 'withdrawal', 'invoice', 'command']), id: z.string(), title: z.string(), note: z.string() })),
    }),
    errors: [],
  },
})
