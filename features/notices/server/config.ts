import { z } from 'zod'
import type { ConfigOf, PlatformConfig } from '#platform/server/config.ts'

export const noticesConfig = {
  /** smtp://…:587 or smtps://…:465, with user and password. If absent, mails stay in the sandbox's mailbox. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'must begin with smtp:// or smtps://')
    .optional(),
  /** "Name <address>"; required with SMTP_URL. */
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n<>]*<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/, 'must be an address or "Name <address>"')
    .optional(),

  /** Aliyun SMS: an access key with permission to send, the approved signature and template (its one variable is `code`). */
  ALIYUN_SMS_ACCESS_KEY_ID: z.string().optional(),
  ALIYUN_SMS_ACCESS_KEY_SECRET: z.string().optional(),
  ALIYUN_SMS_SIGN_NAME: z.string().optional(),
  ALIYUN_SMS_TEMPLATE_CODE: z.string().optional(),
  /** Template for Hong Kong and Macao, which the vendor approves separately; without it, Aliyun does not serve these regions. */
  ALIYUN_SMS_TEMPLATE_CODE_INTL: z.string().optional(),
  /** Template of alarms to operators, with the variables `name` and `detail`; without it, Aliyun sends no alarms. */
  ALIYUN_SMS_TEMPLATE_ALARM: z.string().optional(),
  /** Endpoint for the account's balance; the key needs bss:DescribeAcccount. */
  ALIYUN_BILLING_ENDPOINT: z.url().default('https://business.aliyuncs.com'),
  ALIYUN_SMS_ENDPOINT: z.url().default('https://dysmsapi.aliyuncs.com'),

  /** Twilio: account, token, and the number (+1…) or messaging service (MG…) that messages come from. */
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-fA-F]{32}$/, 'must be an account SID (AC…)')
    .optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z
    .string()
    .regex(/^(\+[1-9]\d{6,14}|MG[0-9a-fA-F]{32}|[A-Za-z0-9 ]{3,11})$/, 'must be a number (+1…), a messaging service (MG…) or a sender name')
    .optional(),
  TWILIO_ENDPOINT: z.url().default('https://api.twilio.com'),
} as const

export type NoticesConfig = PlatformConfig & ConfigOf<typeof noticesConfig>

/** The joined configuration with this feature's part typed; its values were checked at start. */
export function readNoticesConfig(config: PlatformConfig & Readonly<Record<string, unknown>>): NoticesConfig {
  return config as NoticesConfig
}
