import { z } from 'zod'
import { defineContract, emptyReply, pageInput, definePage, usdText } from '#platform/shared/contract.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { mailboxErrors } from './errors.ts'
import { BOX_STATES, MAILBOX_PASSWORD_LENGTH, SENDER_VERDICTS } from './words.ts'

const boxId = z.string().regex(/^srv_[0-9a-z]{16}$/)
const messageId = z.string().regex(/^mml_[0-9A-Za-z]{8,40}$/)
const time = z.string().nullable()
const username = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9]{5,12}$/)
const password = z.string().min(MAILBOX_PASSWORD_LENGTH.min).max(MAILBOX_PASSWORD_LENGTH.max)

export const mailboxRow = z.object({
  id: boxId,
  prefix: z.string(),
  address: z.string(),
  /** Address to which the member gets notifications about the mailbox; masked. */
  auxiliaryEmail: z.string(),
  state: z.enum(BOX_STATES),
  /** Cause of the failure, a name for `cause_<name>`; else empty. */
  cause: z.string(),
  createdTime: z.string(),
  /** Deadline for setting a password. */
  deadlineTime: time,
  /** End of receiving mail. */
  expiresTime: time,
  /** True if its password was entered in this session. */
  isOpen: z.boolean(),
  /** Number of mails in it. */
  mails: z.number(),
  unread: z.number(),
  /** Used space in percent. */
  full: z.number(),
  /** Changes with every change in the mailbox. */
  version: z.string(),
})
export type Mailbox = z.output<typeof mailboxRow>

const result = z.enum(['pass', 'fail', 'none'])
export const mailRow = z.object({
  id: messageId,
  sendTime: z.string(),
  sender: z.string(),
  senderName: z.string(),
  recipient: z.string(),
  subject: z.string(),
  /** Beginning of the text. */
  content: z.string(),
  /** Code found in the mail; empty if there is none. */
  code: z.string(),
  isRead: z.boolean(),
  files: z.number(),
  /** Results of the sender checks: the sender's identity (DMARC), the sending host (SPF), the unchanged content (DKIM). */
  auth: z.object({ spf: result, dkim: result, dmarc: result }),
  /** Verdict on `sender`, from these results and from the domains that they are for. */
  verdict: z.enum(SENDER_VERDICTS),
})
export type MailRow = z.output<typeof mailRow>

const pay = z.object({ orderType: z.number(), amount: usdText, service: z.string() }).nullable()
const errors = { ...mailboxErrors, ...serviceErrors }

/** Mailboxes abroad. */
export const mailboxContract = defineContract(errors)({
  emailAddress: {
    method: 'GET',
    path: '/common/emailAddress',
    access: 'public',
    summary: 'The domains of mailbox addresses',
    input: z.object({}),
    reply: z.object({ suffixList: z.array(z.string()) }),
    errors: [],
  },
  emailCount: {
    method: 'GET',
    path: '/reward/email/count',
    access: 'user',
    summary: 'Free mailboxes left, what another costs, and how long one lasts',
    input: z.object({}),
    reply: z.object({
      allowed: z.number(),
      used: z.number(),
      left: z.number(),
      price: usdText,
      days: z.number(),
      minutes: z.number(),
      paused: z.string().nullable(),
    }),
    errors: [],
  },
  emailGet: {
    method: 'GET',
    path: '/reward/email/get',
    access: 'user',
    summary: 'The user’s mailboxes, newest first, without unpaid ones',
    input: z.object({}),
    reply: z.object({ rowList: z.array(mailboxRow) }),
    errors: [],
  },
  emailApply: {
    method: 'POST',
    path: '/reward/email/apply',
    access: 'user',
    idempotency: 'optional',
    summary: 'Asks for a mailbox of that name; `pay`: it is to be paid by an order of type 11',
    input: z.object({ username, suffix: z.string().max(200).optional() }),
    reply: z.object({ box: mailboxRow, pay }),
    errors: ['MAILBOX_TAKEN', 'MAILBOX_RESERVED', 'MAILBOX_OFF', 'SERVICE_PAUSED', 'SERVICE_TOO_MANY'],
  },
  emailReapply: {
    method: 'POST',
    path: '/reward/email/reapply',
    access: 'user',
    idempotency: 'optional',
    summary: 'Tries again with the same name after a failure; costs nothing that did not come back',
    input: z.object({ id: boxId }),
    reply: z.object({ box: mailboxRow, pay }),
    errors: ['MAILBOX_UNKNOWN', 'MAILBOX_TAKEN', 'MAILBOX_ENDED', 'MAILBOX_OFF', 'SERVICE_PAUSED', 'SERVICE_TOO_MANY'],
  },
  emailPassword: {
    method: 'POST',
    path: '/reward/email/password',
    access: 'user',
    summary: 'Sets the password of a new mailbox within its fifteen minutes, or another one in an open mailbox',
    input: z.object({ id: boxId, password, confirm: z.string().max(64) }),
    reply: mailboxRow,
    errors: ['MAILBOX_UNKNOWN', 'MAILBOX_ENDED', 'MAILBOX_LOCKED', 'MAILBOX_PASSWORD_WEAK'],
  },
  emailLogin: {
    method: 'POST',
    path: '/reward/email/login',
    access: 'user',
    summary: 'Opens a mailbox in this session with its password',
    input: z.object({ id: boxId, password: z.string().max(64) }),
    reply: mailboxRow,
    errors: ['MAILBOX_UNKNOWN', 'MAILBOX_ENDED', 'MAILBOX_PASSWORD_WRONG', 'MAILBOX_BLOCKED'],
  },
  emailRefresh: {
    method: 'POST',
    path: '/reward/email/message/refresh',
    access: 'user',
    summary: 'A mailbox as it stands. With `version` the answer waits until it is another one, or `waitSeconds`',
    input: z.object({ id: boxId, version: z.string().max(60).optional(), waitSeconds: z.number().int().min(0).max(25).default(25) }),
    reply: mailboxRow,
    errors: ['MAILBOX_UNKNOWN'],
  },
  emailList: {
    method: 'POST',
    path: '/reward/email/message/list',
    access: 'user',
    summary: 'The mails of an open mailbox, newest first',
    input: pageInput.extend({ id: boxId }),
    reply: definePage(mailRow),
    errors: ['MAILBOX_UNKNOWN', 'MAILBOX_LOCKED'],
  },
  emailRead: {
    method: 'POST',
    path: '/reward/email/message/read',
    access: 'user',
    summary: 'One mail, and marks it as read: its words, and addresses of five minutes for its page and its files',
    input: z.object({ id: messageId }),
    reply: z.object({
      row: mailRow,
      text: z.string(),
      /** Cleaned HTML; '' if the mail has none. */
      page: z.string(),
      /** Number of blocked remote pictures and styles. */
      blocked: z.number(),
      files: z.array(z.object({ name: z.string(), size: z.number(), url: z.string() })),
    }),
    errors: ['MAILBOX_UNKNOWN', 'MAILBOX_LOCKED'],
  },
  emailDelete: {
    method: 'POST',
    path: '/reward/email/message/delete',
    access: 'user',
    summary: 'Deletes a mail with its files',
    input: z.object({ id: messageId }),
    reply: emptyReply,
    errors: ['MAILBOX_UNKNOWN', 'MAILBOX_LOCKED'],
  },
  emailClose: {
    method: 'POST',
    path: '/reward/email/close',
    access: 'user',
    idempotency: 'optional',
    summary: 'Ends a mailbox and wipes what is in it; the name of a used one is not given out again',
    input: z.object({ id: boxId }),
    reply: mailboxRow,
    errors: ['MAILBOX_UNKNOWN', 'MAILBOX_ENDED'],
  },
})
export type MailPage = ReplyOf<typeof mailboxContract.emailRead>
