import { z } from 'zod'
import { defineContract, langSchema } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { supportErrors } from './errors.ts'

const read = { method: 'GET', access: 'operator', permission: 'work.read' } as const
const id = z.string().min(1).max(80)
/** Most urgent first, as in the inbox. */
export const PRIORITIES = ['urgent', 'high', 'normal'] as const
export type Priority = (typeof PRIORITIES)[number]
/** `snoozed`: reopens after its time, or when its customer writes. */
const INBOX_STATES = ['open', 'waiting', 'snoozed', 'closed'] as const

const head = {
  ...{ id: z.string(), kind: z.enum(['conversation', 'complaint']), userId: z.string().nullable() },
  /** A visitor's address, masked. */
  ...{ visitor: z.string().nullable(), text: z.string(), orderNo: z.string().nullable(), state: z.enum(INBOX_STATES), at: z.string() },
  ...{ priority: z.enum(PRIORITIES), snoozedUntil: z.string().nullable(), snoozedBy: z.string().nullable() },
}

/** Customers' conversations and complaints, for operators. */
export const supportDeskContract = defineContract({ ...commonErrors, ...supportErrors })({
  inbox: {
    ...{ ...read, path: '/operator/support/inbox', summary: 'Conversations and complaints: urgent ones first, then the longest waiting' },
    input: z.object({
      ...{
        kind: z.enum(['conversation', 'complaint']).optional(),
        state: z.enum(INBOX_STATES).default('open'),
        priority: z.enum(PRIORITIES).optional(),
        q: z.string().max(100).optional(),
      },
      ...{ after: z.string().max(120).optional(), limit: z.coerce.number().int().min(1).max(200).default(50) },
    }),
    reply: z.object({ rows: z.array(z.object(head)), next: z.string().nullable() }),
    errors: [],
  },
  talk: {
    ...{ ...read, path: '/operator/support/conversation', summary: 'One conversation with its newest thousand messages' },
    input: z.object({ id }),
    reply: z.object({
      ...head,
      topic: z.string(),
      messages: z.array(
        z.object({
          ...{ seq: z.number(), author: z.enum(['user', 'operator', 'system']), operatorId: z.string().nullable() },
          ...{ event: z.string().nullable(), detail: z.string(), text: z.string(), at: z.string() },
        }),
      ),
    }),
    errors: ['NOT_FOUND'],
  },
  complaint: {
    ...{ ...read, path: '/operator/support/complaint', summary: 'One complaint, and what was answered' },
    input: z.object({ id }),
    reply: z.object({ ...head, lang: langSchema, answer: z.string().nullable(), answeredBy: z.string().nullable(), closedAt: z.string().nullable() }),
    errors: ['NOT_FOUND'],
  },
})
