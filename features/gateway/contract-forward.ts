import { z } from 'zod'
import { defineContract } from '#platform/shared/contract.ts'
import { gatewayErrors } from './contract.ts'

const requestKey = z.string().min(16).max(200)

/** `apiForwards`: a member's own base URL and key, for clients that accept only those two. */
export const forwardContract = defineContract(gatewayErrors)({
  gptForwardGet: {
    method: 'GET',
    path: '/reward/gptForward/get',
    access: 'user',
    summary: 'The base URLs for each family of clients, and the key that goes with them, without its secret; null: none yet',
    input: z.object({}),
    reply: z.object({
      baseUrls: z.object({ openai: z.string(), claude: z.string(), gemini: z.string() }),
      key: z
        .object({
          keyId: z.string(),
          keyName: z.string(),
          masked: z.string(),
          createdTime: z.string(),
          lastUseTime: z.string().nullable(),
          isOn: z.boolean(),
          /** End of the previous secret's validity; null if it no longer works. */
          oldEndsTime: z.string().nullable(),
        })
        .nullable(),
    }),
    errors: [],
  },
  gptForwardApply: {
    method: 'POST',
    path: '/reward/gptForward/apply',
    access: 'user',
    flag: 'createKey',
    summary:
      'Makes that key, or gives it another secret, the old one working for 24 hours beside it. Shown by this reply only. Wants a login or step-up of the last ten minutes',
    // Not `idempotency: 'required'`: that stores replies, and this one holds a secret. `requestKey` makes it idempotent instead.
    input: z.object({
      /** A retry with the same key returns the same secret; without a key, each call creates another secret. */
      requestKey: requestKey.optional(),
    }),
    reply: z.object({ baseUrl: z.string(), apiKey: z.string(), keyId: z.string(), masked: z.string(), oldEndsTime: z.string().nullable() }),
    errors: [
      ...(['KEY_NEEDS_BALANCE', 'KEY_CREATE_OFF', 'KEY_CHANGE_OFF', 'KEY_TOO_MANY', 'KEY_ROTATING', 'KEY_REQUEST_USED'] as const),
      ...(['KEY_EXPIRY_PAST', 'KEY_MODEL_UNKNOWN', 'KEY_NOT_FOUND', 'STEP_UP_REQUIRED'] as const),
    ],
  },
})
