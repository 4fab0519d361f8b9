import { z } from 'zod'
import { defineContract, emptyReply } from '#platform/shared/contract.ts'
import { supportErrors } from './errors.ts'

export { supportErrors }

/** Maximum length of a message and of a complaint, in characters (not bytes, not UTF-16 units). */
export const TEXT_MAX = 4000

const ATOM = String.raw`[^\s@<>()[\]\\,;:"]`
/** Email address for replies to a visitor or a complaint: ASCII with an at-sign and a dot, without characters that break mail headers. */
export const replyEmail = z
  .string()
  .trim()
  .max(254)
  .regex(new RegExp(`^(?=[!-~]+$)${ATOM}+@${ATOM}+\\.[^\\s@<>()[\\]\\\\,;:".]+$`))

/** Normalizes line ends, and removes control characters (except tab and line feed) and invisible characters that change the text direction. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu, '')
    .trim()
}

/** Text of a message: 1 to 4,000 characters after cleaning. */
export const messageText = z
  .string()
  .max(TEXT_MAX * 3)
  .transform(cleanText)
  .refine((text) => text !== '' && [...text].length <= TEXT_MAX)

/** Idempotency key of a message, chosen by the browser. */
export const clientId = z.string().regex(/^[\w-]{16,64}$/)

/** Order number as entered by its owner; support does not check that it exists. */
export const supportOrderNo = z
  .string()
  .trim()
  .regex(/^[\w-]{4,64}$/)

/** Private link of a visitor: an id and a signature. Sent in bodies only. */
export const visitorToken = z.string().regex(/^vis_[0-9A-Z]{26}\.[\w-]{43}$/)

export const TOPICS = ['general', 'recharge', 'api', 'account'] as const
export const topic = z.enum(TOPICS)
export type Topic = z.output<typeof topic>

const conversationId = z.string().max(40)
const seq = z.number().int().min(0).max(2_000_000_000)

/** A conversation as shown in a list. `unread` counts answers the reader has not seen; `deskReadSeq`: the last message we have seen. */
export const conversationHead = z.object({
  id: z.string(),
  topic: z.string(),
  orderNo: z.string().nullable(),
  /** Address for replies to a visitor; null for a user, whose account has it. */
  email: z.string().nullable(),
  state: z.enum(['open', 'waiting', 'closed']),
  preview: z.string(),
  previewFrom: z.enum(['me', 'desk']),
  lastAt: z.string(),
  lastSeq: z.number(),
  unread: z.number(),
  deskReadSeq: z.number(),
  version: z.number(),
})
export type ConversationHead = z.output<typeof conversationHead>

/** `seq` numbers a conversation's messages from 1 without a gap. A system message has an `event` and its `detail`, no text. */
export const supportMessage = z.object({
  seq: z.number(),
  from: z.enum(['me', 'desk', 'system']),
  text: z.string(),
  event: z.enum(['order', 'closed', 'reopened']).nullable(),
  detail: z.string(),
  clientId: z.string().nullable(),
  at: z.string(),
})
export type Message = z.output<typeof supportMessage>

/** Opening hours in the users' time zone. `opensAt`: next opening, null while open. */
const desk = z.object({
  open: z.boolean(),
  from: z.string(),
  to: z.string(),
  days: z.array(z.number()),
  opensAt: z.string().nullable(),
  /** Typical response time in minutes while open; 0: no promise. */
  replyMinutes: z.number(),
})
export type DeskStatus = z.output<typeof desk>

const owner = { visitorToken: visitorToken.optional() }
const conversationUpdate = z.object({ conversation: conversationHead, messages: z.array(supportMessage), more: z.boolean() })
export type ConversationUpdate = z.output<typeof conversationUpdate>

const ms = z.number().int().min(1).max(600_000)
/** Timings of a page that waits for a vendor's widget. */
export const widgetTimings = z.object({
  lookMs: ms,
  lookForMs: ms,
  bootMs: ms,
  bootForMs: ms,
  shutdownForMs: ms,
  textMs: ms,
  textTries: z.number().int().min(0).max(100),
})

export const supportContract = defineContract(supportErrors)({
  widget: {
    method: 'GET',
    path: '/common/support/widget',
    access: 'public',
    summary: 'Which chat widget this site uses, with what it needs to start; for a signed-in user with their signed identity',
    input: z.object({}),
    reply: z.object({
      provider: z.string(),
      /** Address of the vendor's script; empty for our own conversation. */
      script: z.string(),
      settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
      user: z.record(z.string(), z.string()).nullable(),
      times: widgetTimings,
      place: z.object({ zIndex: z.number(), right: z.number(), bottom: z.number(), mobileBottom: z.number(), visitorMobileBottom: z.number() }),
      texts: z.object({ launcher: z.string() }),
    }),
    errors: [],
  },
  overview: {
    method: 'POST',
    path: '/common/support/overview',
    access: 'public',
    summary: 'Conversations of the signed-in user and of the visitor token, newest first, and when people answer',
    input: z.object(owner),
    reply: z.object({ desk, unread: z.number(), conversations: z.array(conversationHead) }),
    errors: [],
  },
  start: {
    method: 'POST',
    path: '/common/support/start',
    access: 'public',
    summary: 'Begins a conversation with its first message; the same clientId begins it once. Visitors give an e-mail and get their token',
    input: z.object({
      ...owner,
      clientId,
      text: messageText,
      topic: topic.default('general'),
      orderNo: supportOrderNo.optional(),
      email: replyEmail.optional(),
    }),
    reply: conversationUpdate.extend({ visitorToken: z.string().nullable() }),
    errors: ['SUPPORT_TOO_FAST'],
  },
  send: {
    method: 'POST',
    path: '/common/support/send',
    access: 'public',
    summary: 'Writes into a conversation of the caller; the same clientId is one message, however often it is sent',
    input: z.object({ ...owner, conversationId, clientId, text: messageText }),
    reply: z.object({ conversation: conversationHead, message: supportMessage }),
    errors: ['SUPPORT_TOO_FAST'],
  },
  messages: {
    method: 'POST',
    path: '/common/support/messages',
    access: 'public',
    summary: 'Messages after or before a number, oldest first; without a number the newest',
    input: z.object({ ...owner, conversationId, afterSeq: seq.optional(), beforeSeq: seq.optional() }),
    reply: conversationUpdate,
    errors: [],
  },
  wait: {
    method: 'POST',
    path: '/common/support/wait',
    access: 'public',
    summary: 'As `messages` after a number, but answers when the conversation is no longer at this version, or after waitSeconds',
    input: z.object({ ...owner, conversationId, version: seq, afterSeq: seq, waitSeconds: z.number().int().min(0).max(25).default(25) }),
    reply: conversationUpdate,
    errors: [],
    timeoutMs: 40_000,
  },
  read: {
    method: 'POST',
    path: '/common/support/read',
    access: 'public',
    summary: 'Marks messages up to this number as seen',
    input: z.object({ ...owner, conversationId, seq }),
    reply: emptyReply,
    errors: [],
  },
  complaint: {
    method: 'POST',
    path: '/common/complaint',
    access: 'public',
    summary: 'A report to the operator: what is wrong, where to answer, and which order',
    input: z.object({ content: messageText, email: replyEmail, orderNo: supportOrderNo.optional() }),
    reply: z.object({ complaintId: z.string() }),
    errors: ['SUPPORT_TOO_FAST'],
    idempotency: 'optional',
  },
})
