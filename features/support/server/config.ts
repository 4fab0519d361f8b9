import { z } from 'zod'
import type { ConfigOf, PlatformConfig } from '#platform/server/config.ts'

/** A vendor is offered once all its variables are set (docs/vendors/intercom.md, docs/vendors/chatwoot.md). */
export const supportConfig = {
  /** Workspace id of Intercom. */
  INTERCOM_APP_ID: z
    .string()
    .regex(/^\w{4,40}$/)
    .optional(),
  /** Identity verification secret of the web messenger. */
  INTERCOM_SECRET: z.string().min(8).optional(),
  /** Base URL of the messenger's script; the workspace id is appended. */
  INTERCOM_SCRIPT_URL: z.url().default('https://widget.intercom.io/widget/'),
  /** Website inbox of Chatwoot. */
  CHATWOOT_WEBSITE_TOKEN: z
    .string()
    .regex(/^[\w-]{8,64}$/)
    .optional(),
  /** The inbox's HMAC token. */
  CHATWOOT_HMAC_TOKEN: z.string().min(8).optional(),
  /** Chatwoot's cloud, or a self-hosted server. */
  CHATWOOT_BASE_URL: z.url().default('https://app.chatwoot.com'),
} as const

export type SupportConfig = PlatformConfig & ConfigOf<typeof supportConfig>

/** Returns the configuration typed for this feature; the values were checked at start. */
export function readSupportConfig(config: PlatformConfig & Readonly<Record<string, unknown>>): SupportConfig {
  return config as SupportConfig
}
