import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { accountErrors } from './errors.ts'

/** Filters of the history page: sign-ins; changes of sign-in methods; changes that protect money, keys and webhooks. */
export const HISTORY_GROUPS = ['all', 'signIn', 'security', 'access'] as const
export type HistoryGroup = (typeof HISTORY_GROUPS)[number]

const event = z.enum([
  'registered',
  'login',
  'loginFailed',
  'logout',
  'sessionEnded',
  'sessionsEnded',
  'stepUp',
  'passwordSet',
  'passwordChanged',
  'emailVerified',
  'emailChanged',
  'mobileChanged',
  'googleLinked',
  'secretsDropped',
  'payPasswordSet',
  'payPasswordChanged',
  'payPasswordReset',
  'payPasswordWrong',
  'payPasswordLocked',
  'authenticatorAdded',
  'authenticatorRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'recoveryRenewed',
  'factorsReset',
  'payTriesReset',
  /** An operator viewed the account. */
  'viewed',
  'frozen',
  'thawed',
  'payoutsFrozen',
  'payoutsThawed',
  'callsFrozen',
  'callsThawed',
  'loginUnlocked',
  'exported',
  'keyCreated',
  'keyRenamed',
  'keyLimited',
  'keyRotated',
  'keyDisabled',
  'keyEnabled',
  'keyDeleted',
  'alertsChanged',
])
export type HistoryEvent = z.output<typeof event>

const entry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  event,
  /** Method of the sign-in or step-up. */
  way: z.enum(['password', 'code', 'google', 'register', 'totp', 'passkey', 'recovery']).nullable(),
  /** Name of the key, host of the webhook (empty: removed), or number of ended sessions. */
  detail: z.string().nullable(),
  /** User agent of the browser. */
  userAgent: z.string().nullable(),
  /** Network instead of the full address: 203.0.113.*, 2001:db8:1:* */
  network: z.string().nullable(),
  /** False if an operator or the system did it. */
  byUser: z.boolean(),
})
export type HistoryEntry = z.output<typeof entry>

export const historyContract = defineContract({ ...commonErrors, ...accountErrors })({
  securityHistory: {
    method: 'GET',
    path: '/user/securityHistory',
    access: 'user',
    summary: 'Security events of the account, newest first, by keyset: `after` is the `next` of the page before',
    input: z.object({
      group: z.enum(HISTORY_GROUPS).default('all'),
      after: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      pageSize: z.coerce.number().int().min(1).max(50).default(20),
    }),
    reply: z.object({ rowList: z.array(entry), next: z.string().nullable() }),
    errors: [],
  },
})
