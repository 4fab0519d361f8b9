import { z } from 'zod'
import { defineContract, pageInput, definePage, usdText } from '#platform/shared/contract.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { registrationErrors } from './errors.ts'

export const registrationId = z.string().regex(/^srv_[0-9a-z]{16}$/)
const time = z.string().nullable()
/** Causes of a failure; a failed order is free. */
export const REGISTRATION_CAUSES = ['ip_limit', 'mailbox_refused', 'account_exists', 'code_missing', 'too_late', 'not_done'] as const
export type RegistrationCause = (typeof REGISTRATION_CAUSES)[number]
export const REGISTRATION_STATES = ['draft', 'registering', 'success', 'failed'] as const

export const registrationRow = z.object({
  id: registrationId,
  /** The e-mail address that the account is registered under. */
  account: z.string(),
  state: z.enum(REGISTRATION_STATES),
  /** Cause of the failure, or `not_paid`; else empty. */
  cause: z.enum([...REGISTRATION_CAUSES, 'not_paid']).or(z.literal('')),
  /** Attempt number; each attempt uses another network address. */
  attempt: z.number(),
  createdTime: z.string(),
  startedTime: time,
  finishedTime: time,
  amount: usdText,
  charged: usdText,
  /** End of the time in which a failed order can be retried with the same password; null if the password must be entered again. */
  passwordUntil: time,
})
export type RegistrationRow = z.output<typeof registrationRow>

const password = z.string().min(1).max(64)
const startedRow = z.object({ row: registrationRow, pay: z.object({ orderType: z.number(), amount: usdText, service: z.string() }).nullable() })
const errors = { ...registrationErrors, ...serviceErrors }

/** Help with registering an account: an operator does it with the member's data. */
export const registrationContract = defineContract(errors)({
  openaiCount: {
    method: 'GET',
    path: '/reward/openai/count',
    access: 'user',
    summary: 'Price, whether registrations are open, and how long they take lately',
    input: z.object({}),
    reply: z.object({
      price: usdText,
      isOpen: z.boolean(),
      opensTime: z.string(),
      paused: z.string().nullable(),
      /** Median and 90th percentile in minutes; null if the sample is too small. */
      half: z.number().nullable(),
      most: z.number().nullable(),
      /** Hours for which the password of a failed registration is kept for a retry. */
      retryHours: z.number(),
    }),
    errors: [],
  },
  openaiApply: {
    method: 'POST',
    path: '/reward/openai/apply',
    access: 'user',
    idempotency: 'required',
    flag: 'enableChatGPT',
    summary: 'Asks for a registration; `pay`: an order of type 6 pays for it, and is charged when it is done',
    input: z.object({ email: z.email().max(100), password, confirm: z.string().max(64) }),
    reply: startedRow,
    errors: ['REGISTRATION_PASSWORD_WEAK', 'REGISTRATION_CLOSED', 'SERVICE_PAUSED', 'SERVICE_TOO_MANY'],
  },
  openaiReapply: {
    method: 'POST',
    path: '/reward/openai/reapply',
    access: 'user',
    idempotency: 'required',
    flag: 'enableChatGPT',
    summary: 'Tries again after a failure, from another address; without a password with the one of the failed try, as long as that is kept',
    input: z.object({ id: registrationId, password: password.optional(), confirm: z.string().max(64).optional() }),
    reply: startedRow,
    errors: [
      'REGISTRATION_UNKNOWN',
      'REGISTRATION_NOT_FAILED',
      'REGISTRATION_PASSWORD_GONE',
      'REGISTRATION_PASSWORD_WEAK',
      'REGISTRATION_CLOSED',
      'SERVICE_PAUSED',
      'SERVICE_TOO_MANY',
    ],
  },
  openaiAvailable: {
    method: 'GET',
    path: '/reward/openai/available',
    access: 'user',
    summary: 'The registration in progress, else the last one',
    input: z.object({}),
    reply: z.object({ current: registrationRow.nullable(), ahead: z.number() }),
    errors: [],
  },
  openaiList: {
    method: 'POST',
    path: '/reward/openai/list',
    access: 'user',
    summary: 'All registrations, newest first',
    input: pageInput,
    reply: definePage(registrationRow),
    errors: [],
  },
})
