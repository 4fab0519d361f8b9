import { z } from 'zod'
import { defineContract, fileReply, usdAmount } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { backofficeErrors } from './errors.ts'

const time = z.iso.datetime({ offset: true })
const bulkId = z.string().regex(/^blk_[0-9A-Z]{26}$/)
const exportId = z.string().regex(/^exp_[0-9A-Z]{26}$/)

/** Selection of calls, and the share of their cost to refund. */
export const compensationTerms = z.object({
  ...{ from: time, to: time, model: z.string().max(200).optional(), upstream: z.string().max(63).optional() },
  outcome: z.enum(['completed', 'not_completed', 'client_gone', 'upstream_failed', 'upstream_cut']).optional(),
  status: z.coerce.number().int().min(100).max(599).optional(),
  percent: z.coerce.number().int().min(1).max(100),
})
export type CompensationTerms = z.output<typeof compensationTerms>
export const compensationInput = compensationTerms.extend({
  ...{ title: z.string().trim().min(1).max(80), budget: usdAmount, days: z.int().min(1).max(730) },
})

const bulk = z.object({
  ...{ id: z.string(), kind: z.string(), title: z.string(), reason: z.string(), state: z.enum(['running', 'stopped', 'done']), rows: z.number() },
  ...{ done: z.number(), refused: z.number(), waiting: z.number(), amount: z.string(), madeBy: z.string(), madeAt: z.string(), endedAt: z.string().nullable() },
})
const exported = z.object({
  ...{ id: z.string(), path: z.string(), format: z.enum(['csv', 'xlsx']), state: z.enum(['waiting', 'done', 'failed']), rows: z.number() },
  ...{ madeAt: z.string(), endedAt: z.string().nullable() },
})
const paging = { after: z.string().max(40).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) } as const
const read = { method: 'GET', access: 'operator', permission: 'work.read' } as const

/** Bulk commands, compensation campaigns and list exports. */
export const bulkContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  bulks: {
    ...{ ...read, path: '/operator/bulks', summary: 'Bulk acts and campaigns, newest first' },
    input: z.object(paging),
    reply: z.object({ rows: z.array(bulk), next: z.string().nullable() }),
    errors: [],
  },
  bulk: {
    ...{ ...read, path: '/operator/bulk', summary: 'One of them: its tally, and why rows were refused' },
    input: z.object({ id: bulkId }),
    reply: bulk.extend({ refusals: z.array(z.object({ why: z.string(), rows: z.number() })) }),
    errors: [],
  },
  bulkRows: {
    ...{ ...read, path: '/operator/bulk/rows', summary: 'Its rows, with the result of each' },
    input: z.object({ id: bulkId, state: z.enum(['waiting', 'done', 'refused']).optional(), ...paging }),
    reply: z.object({
      rows: z.array(
        z.object({
          ...{ position: z.number(), subject: z.string(), customer: z.string().nullable(), amount: z.string().nullable(), state: z.string() },
          ...{ why: z.string().nullable(), at: z.string().nullable() },
        }),
      ),
      next: z.string().nullable(),
    }),
    errors: [],
  },
  compensationQuery: {
    ...{ ...read, path: '/operator/compensation/query', summary: 'Previews a campaign: its customers, amounts and mail' },
    permission: 'customers.grant',
    input: compensationTerms.extend({ title: z.string().trim().max(80).default(''), days: z.coerce.number().int().min(1).max(730).default(90) }),
    reply: z.object({
      ...{ calls: z.number(), customers: z.number(), total: z.string(), already: z.number(), isCut: z.boolean() },
      largest: z.array(z.object({ userId: z.string(), calls: z.number(), amount: z.string() })),
      mail: z.object({ subject: z.string(), body: z.string() }),
    }),
    errors: [],
  },
  startExport: {
    ...{ method: 'POST', access: 'operator', permission: 'lists.export', path: '/operator/export/start', summary: 'Writes a list into a file, by a job' },
    input: z.object({
      path: z.string().max(100),
      filter: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      format: z.enum(['csv', 'xlsx']),
    }),
    reply: z.object({ id: z.string() }),
    errors: ['OPERATOR_TOKEN'],
  },
  exports: {
    ...{ ...read, permission: 'lists.export', path: '/operator/exports', summary: 'The operator’s own files of the last week, newest first' },
    input: z.object({}),
    reply: z.object({ rows: z.array(exported) }),
    errors: [],
  },
  exportFile: {
    ...{ ...read, permission: 'lists.export', path: '/operator/export/file', summary: 'One of the operator’s own files' },
    input: z.object({ id: exportId }),
    reply: fileReply,
    errors: [],
  },
})
