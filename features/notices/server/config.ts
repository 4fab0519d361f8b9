import { z } from 'zod'
import type { ConfigOf, PlatformConfig } from '#platform/server/config.ts'

export const noticesConfig = {
  /** smtp://user:password@host:587 or smtps://…:465. Absent: mails stay in the sandbox's mailbox. */
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/\S+$/, 'must begin with smtp:// or smtps://')
    .optional(),
  /** "Name <address>"; needed with SMTP_URL. */
  MAIL_FROM: z
    .string()
    .regex(/^[^\r\n<>]*<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/, 'must be an address or "Name <address>"')
    .optional(),
} as const

export type NoticesConfig = PlatformConfig & ConfigOf<typeof noticesConfig>

/** The joined configuration with this feature's part typed; its values were checked at start. */
export function noticesConfigOf(config: PlatformConfig & Readonly<Record<string, unknown>>): NoticesConfig {
  return config as NoticesConfig
}
