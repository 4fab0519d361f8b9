import { z } from 'zod'
import type { ConfigOf, PlatformConfig } from '#platform/server/config.ts'

/** A vendor is offered when all that it needs is set (docs/vendors/intercom.md, docs/vendors/chatwoot.md). */
export const supportConfig = {
  /** Workspace id of Intercom. */
  INTERCOM_APP_ID: z
    .string()
    .regex(/^\w{4,40}$/)
    .optional(),
  /** Identity verification secret of the web messenger. */
  INTERCOM_SECRET: z.string().min(8).optional(),
  /** Where the messenger's script is; the workspace id is added. */
  INTERCOM_SCRIPT_URL: z.url().default('https://widget.intercom.io/widget/'),
  /** Website inbox of Chatwoot. */
  CHATWOOT_WEBSITE_TOKEN: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .optional(),
  /** The inbox's HMAC token. */
  CHATWOOT_HMAC_TOKEN: z.string().min(8).optional(),
  /** Chatwoot's cloud, or a server of one's own. */
  CHATWOOT_BASE_URL: z.url().default('https://app.chatwoot.com'),
} as const

export type SupportConfig = PlatformConfig & ConfigOf<typeof supportConfig>

/** The joined configuration with this feature's part typed; its values were checked at start. */
export function supportConfigOf(config: PlatformConfig & Readonly<Record<string, unknown>>): SupportConfig {
  return config as SupportConfig
}
