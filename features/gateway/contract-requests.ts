import { z } from 'zod'
import { defineContract, usdText } from '#platform/shared/contract.ts'
import { gatewayErrors } from './contract.ts'

/** Calls as the requests page lists them: billed, failed and refused. Days are Shanghai's; `to` is included. */

export const requestStates = ['completed', 'client_gone', 'upstream_failed', 'upstream_cut', 'refused'] as const
const state = z.enum(requestStates)
export type RequestState = z.output<typeof state>

const requestFilter = {
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  keyId: z.string().max(60).optional(),
  model: z.string().max(120).optional(),
}

const requestRow = z.object({
  /** `call_…`, or `ref_…` for a refused call. */
  id: z.string(),
  requestId: z.string(),
  startedAt: z.string(),
  state,
  status: z.number(),
  /** Model that served the call; empty if none did. */
  model: z.string(),
  /** Model that the caller requested, if another one served the call. */
  askedModel: z.string().nullable(),
  vendor: z.string(),
  keyId: z.string(),
  keyName: z.string(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  measured: z.object({ kind: z.enum(['characters', 'seconds', 'searches']), count: z.number() }).nullable(),
  firstByteMs: z.number(),
  totalMs: z.number(),
  amount: usdText,
  /** Reason for the refusal; see the causes of the model API's errors. */
  cause: z.string().nullable(),
})
export type RequestRow = z.output<typeof requestRow>

const openCallItem = z.object({
  id: z.string(),
  startedAt: z.string(),
  model: z.string(),
  askedModel: z.string().nullable(),
  vendor: z.string(),
  keyId: z.string(),
  keyName: z.string(),
  apiToken: z.string(),
  /** Amount set aside for the call; the unused part is released when the call ends. */
  held: usdText,
})
export type OpenApiCall = z.output<typeof openCallItem>

const refusedDetail = requestRow.extend({
  apiToken: z.string(),
  path: z.string(),
  message: z.string(),
  /** Response body as it was sent. */
  body: z.string(),
})
export type RefusedDetail = z.output<typeof refusedDetail>

export const requestsContract = defineContract(gatewayErrors)({
  requests: {
    method: 'GET',
    path: '/user/requests',
    access: 'user',
    summary: 'Every call, refused ones too, newest first; pass `next` as `after`; `searchedTo` says how far a search for a rare kind came',
    input: z.object({
      ...requestFilter,
      state: state.optional(),
      /** A request id, a call id, or the 24 characters of either. */
      find: z.string().trim().max(80).optional(),
      minAmount: z
        .string()
        .regex(/^\d{1,9}(\.\d{1,9})?$/)
        .optional(),
      after: z.string().max(120).optional(),
      pageSize: z.coerce.number().int().min(1).max(100).default(30),
    }),
    reply: z.object({ rowList: z.array(requestRow), next: z.string().nullable(), searchedTo: z.string().nullable() }),
    errors: [],
  },
  requestCounts: {
    method: 'GET',
    path: '/user/requests/counts',
    access: 'user',
    summary:
      'Calls by how they ended, and those under way; `all` is their sum. Of the refused ones `kept` have a row, the others were only counted; both live for 30 days',
    input: z.object(requestFilter),
    reply: z.object({
      all: z.number(),
      completed: z.number(),
      client_gone: z.number(),
      upstream_failed: z.number(),
      upstream_cut: z.number(),
      refused: z.number(),
      in_progress: z.number(),
      kept: z.number(),
    }),
    errors: [],
  },
  openCalls: {
    method: 'GET',
    path: '/user/requests/open',
    access: 'user',
    summary: 'Calls under way, newest first and at most 100; `count` and `held` are of all of them, `now` is the time they were read at',
    input: z.object(requestFilter),
    reply: z.object({ rowList: z.array(openCallItem), count: z.number(), held: usdText, now: z.string() }),
    errors: [],
  },
  refusedCall: {
    method: 'GET',
    path: '/user/requests/refused',
    access: 'user',
    summary: 'A refused call with the answer that it got',
    input: z.object({ id: z.string().min(1).max(80) }),
    reply: refusedDetail,
    errors: ['CALL_NOT_FOUND'],
  },
})
