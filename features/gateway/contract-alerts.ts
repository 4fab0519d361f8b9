import { z } from 'zod'
import { defineContract, emptyReply, usdAmount, usdText } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { gatewayErrors } from './contract.ts'

const delivery = z.object({
  event: z.enum(['balance.low', 'key.budget', 'test']),
  at: z.string(),
  state: z.enum(['waiting', 'sent', 'failed']),
  attempts: z.number(),
  /** Reason why the last attempt failed; `detail` is the HTTP status, the timeout in seconds, or the system's error code. */
  problem: z.object({ code: z.enum(['status', 'silent', 'connection', 'name', 'address', 'removed', 'frozen', 'crowded']), detail: z.string() }).nullable(),
})

/** Text that could be an address; the handler checks the rest and returns a readable error. */
const webhookAddress = z
  .string()
  .trim()
  .max(500)
  .regex(/^[^\s<>"'`]*$/)

/** Alerts of a low balance and of key budgets. Mails follow the user's mail settings; a webhook is sent if one is configured. */
export const alertsContract = defineContract({ ...commonErrors, ...gatewayErrors })({
  alerts: {
    method: 'GET',
    path: '/user/alerts',
    access: 'user',
    summary: 'Alert settings and the latest webhook deliveries',
    input: emptyReply,
    reply: z.object({ lowBalance: usdText.nullable(), webhookUrl: z.string().nullable(), deliveries: z.array(delivery) }),
    errors: [],
  },
  saveAlerts: {
    method: 'POST',
    path: '/user/alerts',
    access: 'user',
    summary:
      'Sets the low-balance threshold and the webhook; a new URL gets a new signing secret, shown by this reply only, and wants a login or step-up of the last ten minutes',
    // Not `idempotency: 'required'`: that stores replies, and this one may hold a secret. Saving the same again changes nothing.
    input: z.object({ lowBalance: usdAmount.nullable().default(null), webhookUrl: webhookAddress.nullable().default(null) }),
    reply: z.object({ webhookSecret: z.string().nullable() }),
    errors: ['WEBHOOK_URL_BAD', 'STEP_UP_REQUIRED'],
  },
  testWebhook: {
    method: 'POST',
    path: '/user/alerts/test',
    access: 'user',
    summary: 'Sends a test event to the webhook',
    input: emptyReply,
    reply: emptyReply,
    errors: ['WEBHOOK_NONE', 'TOO_MANY'],
  },
})
