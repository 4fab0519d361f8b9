import { z } from 'zod'
import { defineContract, emptyReply, usdText } from '#platform/shared/contract.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { serviceTask } from '#features/services/contract.ts'
import { remoteErrors } from './errors.ts'

/** Milliseconds that a browser waits for a Kasm call (product.md 1.9). */
const KASM_TIMEOUT_MS = 180_000

export const remoteAllErrors = { ...serviceErrors, ...remoteErrors }

/** The live session of a user, from order to end. */
export const remoteSession = z.object({
  id: z.string(),
  /** `ready`: the browser runs and waits for its user; the session is charged when the first picture is shown. */
  state: z.enum(['queued', 'starting', 'ready', 'using']),
  /** `canvas`: shown on our page; `window`: shown on the supplier's page. */
  engine: z.enum(['canvas', 'window']),
  /** Sessions ahead of it in the queue and the estimated wait in minutes; null when it is not queued or no estimate exists. */
  ahead: z.number().int().nullable(),
  aheadMinutes: z.number().int().nullable(),
  isFree: z.boolean(),
  amount: usdText,
  /** Deadline of the current state. */
  deadlineTime: z.string().nullable(),
  startedTime: z.string().nullable(),
  expiresTime: z.string().nullable(),
  /** True if another use may be added to the session. */
  canExtend: z.boolean(),
})
export type RemoteSession = z.output<typeof remoteSession>

export const remoteCount = z.object({
  hasCard: z.boolean(),
  price: usdText,
  minutes: z.number().int(),
  /** Uses included with the card. */
  allowed: z.number().int(),
  used: z.number().int(),
  remainingCount: z.number().int(),
  /** Uses included with each type of card. */
  included: z.object({ standard: z.number().int(), pro: z.number().int() }),
  /** Remaining minutes included with the card. */
  remainingMinutes: z.number().int(),
  /** True if a machine runs remote browsers now. */
  isOffered: z.boolean(),
  /** Reason why no new session begins; null if sessions can begin. */
  paused: z.string().nullable(),
  /** Location of the exit, as shown to customers. */
  place: z.string(),
  /** Sessions waiting in the queue. */
  waiting: z.number().int(),
  /** Set while new sessions are refused because `most` were left unused within a day; null if a new one may begin. */
  tooOften: z.object({ most: z.number().int(), againTime: z.string() }).nullable(),
  /** Limits of file transfer, uploads and downloads together; null if none is allowed or a supplier decides. */
  files: z.object({ most: z.number().int(), megabytes: z.number().int() }).nullable(),
})
export type RemoteCount = z.output<typeof remoteCount>

const pay = z.object({ orderType: z.number().int(), amount: usdText, service: z.string() }).nullable()

export const remoteContract = defineContract(remoteAllErrors)({
  getKasm: {
    method: 'GET',
    path: '/user/getKasm',
    timeoutMs: KASM_TIMEOUT_MS,
    access: 'user',
    summary: 'The live remote browser; null without one',
    input: emptyReply,
    reply: z.object({ session: remoteSession.nullable() }),
    errors: [],
  },
  getKasmUrl: {
    method: 'GET',
    path: '/reward/kasm/getUrl',
    timeoutMs: KASM_TIMEOUT_MS,
    access: 'user',
    summary: 'The address of the remote browser, as soon as it runs; waits for it up to `waitSeconds`',
    input: z.object({ waitSeconds: z.coerce.number().int().min(0).max(170).default(0) }),
    reply: z.object({ url: z.string().nullable(), state: z.enum(['none', 'queued', 'starting', 'ready', 'using']) }),
    errors: [],
  },
  kasmCount: {
    method: 'GET',
    path: '/reward/kasm/count',
    timeoutMs: KASM_TIMEOUT_MS,
    access: 'user',
    summary: 'Price and length of a use, uses left, and whether it is offered now',
    input: emptyReply,
    reply: remoteCount,
    errors: [],
  },
  kasmApply: {
    method: 'POST',
    path: '/reward/kasm/apply',
    access: 'user',
    summary: 'Orders a use: free at once, else what to pay for. `more`: added to the live one',
    idempotency: 'required',
    flag: 'remoteBrowser',
    input: z.object({ more: z.boolean().default(false) }),
    reply: z.object({ task: serviceTask, pay }),
    errors: ['REMOTE_NEEDS_CARD', 'REMOTE_NOT_OFFERED', 'REMOTE_GOES_ON', 'REMOTE_NONE', 'REMOTE_TOO_LONG', 'REMOTE_TOO_OFTEN', 'SERVICE_PAUSED'],
  },
  kasmOpen: {
    method: 'POST',
    path: '/reward/kasm/open',
    access: 'user',
    summary: 'Opens the page: where it connects to, with a single-use ticket. At a supplier the paid time begins',
    input: emptyReply,
    reply: z.object({ engine: z.enum(['canvas', 'window']), url: z.string(), ticket: z.string() }),
    errors: ['REMOTE_NONE', 'REMOTE_NOT_READY', 'REMOTE_UNREACHABLE'],
  },
  kasmEnd: {
    method: 'POST',
    path: '/reward/kasm/end',
    access: 'user',
    summary: 'Ends the session: charged once it was shown, free otherwise',
    input: emptyReply,
    reply: emptyReply,
    errors: ['REMOTE_NONE'],
  },
})
