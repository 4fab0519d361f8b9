import { z } from 'zod'

export const twilioEnv = {
  /** Account SID of a Twilio account (or subaccount) used for number rental only. */
  NUMBERS_TWILIO_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/, 'must be an account SID')
    .optional(),
  /** Auth token; also verifies the signature of Twilio's webhooks. */
  NUMBERS_TWILIO_TOKEN: z.string().min(16).optional(),
  /** Base URL of Twilio. */
  NUMBERS_TWILIO_URL: z.url().default('https://api.twilio.com'),
  /** Price of a number for its first month in dollars; it is not refunded. */
  NUMBERS_TWILIO_COST: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,4})?$/)
    .default('1.15'),
} as const
