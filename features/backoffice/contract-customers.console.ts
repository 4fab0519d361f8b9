import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import type { Endpoint } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { shownCardFields } from '#features/cards/contract-card.ts'
import { shownKeyFields } from '#features/gateway/contract.ts'
import { listPageInput, listPageReply } from './contract-desk.console.ts'
import { riskFact } from './contract-money.console.ts'
import { backofficeErrors } from './errors.ts'

const time = z.string()
const maybe = z.string().nullable()
const userId = z.string().min(1).max(80)
const read = { method: 'GET', access: 'operator', permission: 'work.read' } as const satisfies Partial<Endpoint>

export const customerRow = z.object({
  ...{ userId: z.string(), name: z.string(), status: z.string(), contact: z.string(), createdAt: time, lastSeenAt: time.nullable() },
  ...{ available: z.string(), recharged: z.string(), spent: z.string() },
})
export type CustomerListRow = z.output<typeof customerRow>

export const TIMELINE_KINDS = ['money', 'account', 'operator'] as const

/** Everything about a customer, with masked contacts. */
export const customersContract = defineContract({ ...commonErrors, ...backofficeErrors })({
  customers: {
    ...{ ...read, path: '/operator/customers', summary: 'Customers, newest first, or by id or contact' },
    input: z.object({ ...listPageInput, q: z.string().trim().max(254).optional(), status: z.enum(['active', 'frozen', 'deleted']).optional() }),
    reply: listPageReply(customerRow),
    errors: ['BAD_INPUT'],
  },
  customer: {
    ...{ ...read, path: '/operator/customer', summary: 'One customer: profile, balance and its sources, and risk signs' },
    input: z.object({ userId }),
    reply: z.object({
      ...{ userId: z.string(), name: z.string(), status: z.string(), createdAt: time, lastSeenAt: time.nullable(), lang: maybe },
      ...{ email: maybe, mobile: maybe, google: z.boolean(), identity: z.string(), hasPayPassword: z.boolean() },
      /** Frozen scope: the whole account (`all`), or `money_out` or `calls`. */
      freezes: z.array(z.object({ scope: z.enum(['all', 'money_out', 'calls']), at: time, reason: z.string(), by: z.string() })),
      balance: z.object({
        ...{ posted: z.string(), held: z.string(), available: z.string(), granted: z.string(), withdrawable: z.string(), debt: z.string() },
        ...{ recharged: z.string(), spent: z.string(), rewards: z.string(), entries: z.string() },
      }),
      lots: z.array(z.object({ id: z.string(), kind: z.string(), orderNo: maybe, amount: z.string(), left: z.string(), at: time, expiresAt: time.nullable() })),
      lotsMore: z.object({ count: z.number(), left: z.string() }),
      holds: z.array(z.object({ id: z.string(), purpose: z.string(), amount: z.string(), at: time })),
      counts: z.record(z.string(), z.number()),
      facts: z.array(riskFact),
      waiting: z.array(z.object({ no: z.string(), name: z.string(), askedBy: z.string(), at: time })),
    }),
    errors: ['NOT_FOUND'],
  },
  customerTimeline: {
    ...{ ...read, path: '/operator/customer/timeline', summary: 'A customer’s timeline, newest first' },
    input: z.object({ ...listPageInput, userId, kind: z.enum(TIMELINE_KINDS).optional() }),
    reply: listPageReply(
      z.object({ id: z.string(), at: time, kind: z.string(), what: z.string(), actor: z.string(), note: z.string(), amount: maybe, target: z.string() }),
    ),
    errors: ['BAD_INPUT'],
  },
  customerLedger: {
    ...{ ...read, path: '/operator/customer/ledger', summary: 'Every entry of the balance, newest first, with the balance after it' },
    input: z.object({ ...listPageInput, userId }),
    reply: listPageReply(z.object({ seq: z.string(), kind: z.string(), ref: z.string(), amount: z.string(), after: z.string(), at: time })),
    errors: ['BAD_INPUT'],
  },
  customerCalls: {
    ...{ ...read, path: '/operator/customer/calls', summary: 'Model calls, newest first; questions and answers are not kept' },
    input: z.object({ ...listPageInput, userId }),
    reply: listPageReply(
      z.object({
        ...{ callId: z.string(), at: time, keyId: z.string(), model: z.string(), upstream: z.string(), outcome: z.string(), status: z.number() },
        ...{ inputTokens: z.string(), outputTokens: z.string(), ms: z.number(), amount: z.string(), requestId: z.string() },
      }),
    ),
    errors: ['BAD_INPUT'],
  },
  customerKeys: {
    ...{ ...read, path: '/operator/customer/keys', summary: 'API keys, by their ends' },
    input: z.object({ ...listPageInput, userId }),
    reply: listPageReply(
      z.object({
        ...{ keyId: z.string(), ...shownKeyFields.shape, last4: z.string(), state: z.string(), createdAt: time, lastUsedAt: time.nullable(), lastModel: maybe },
        paused: z.object({ at: time, by: z.string(), reason: z.string() }).nullable(),
      }),
    ),
    errors: [],
  },
  customerSessions: {
    ...{ ...read, path: '/operator/customer/sessions', summary: 'The customer’s sessions' },
    input: z.object({ ...listPageInput, userId }),
    reply: listPageReply(z.object({ id: z.string(), ip: z.string(), userAgent: z.string(), createdAt: time, lastSeenAt: time, expiresAt: time })),
    errors: [],
  },
  customerCards: {
    ...{ ...read, path: '/operator/customer/cards', summary: 'Cards, by their last four' },
    input: z.object({ ...listPageInput, userId }),
    reply: listPageReply(
      z.object({
        ...{ id: z.string(), ...shownCardFields.shape, refusals: z.number() },
        ...{ recharged: z.string(), spent: z.string(), createdAt: time },
      }),
    ),
    errors: [],
  },
  customerNotices: {
    ...{ ...read, path: '/operator/customer/notices', summary: 'Mails that were sent to the customer, without their text' },
    input: z.object({ ...listPageInput, userId }),
    reply: listPageReply(
      z.object({
        ...{ id: z.string(), template: z.string(), state: z.string(), problem: maybe, createdAt: time, endedAt: time.nullable() },
        /** True if it can be resent: its text is stored, without a code or a sign-in link. */
        isKept: z.boolean(),
      }),
    ),
    errors: ['BAD_INPUT'],
  },
  customerNotes: {
    ...{ ...read, path: '/operator/customer/notes', summary: 'Operator notes about the customer: pinned ones, then the newest' },
    input: z.object({ ...listPageInput, userId }),
    reply: listPageReply(z.object({ id: z.string(), text: z.string(), pinned: z.boolean(), madeBy: z.string(), at: time })),
    errors: ['BAD_INPUT'],
  },
  customerConversations: {
    ...{ ...read, path: '/operator/customer/conversations', summary: 'Conversations and complaints' },
    input: z.object({ ...listPageInput, userId }),
    reply: listPageReply(
      z.object({ id: z.string(), kind: z.string(), topic: z.string(), state: z.string(), messages: z.number(), orderNo: maybe, updatedAt: time }),
    ),
    errors: [],
  },
  customerInvitations: {
    ...{ ...read, path: '/operator/customer/invitations', summary: 'The customer’s inviter and the customers they invited' },
    input: z.object({ ...listPageInput, userId }),
    reply: listPageReply(z.object({ userId: z.string(), name: z.string(), role: z.enum(['inviter', 'invitee']), way: z.string(), at: time })),
    errors: [],
  },
})
