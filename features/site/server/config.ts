import { z } from 'zod'
import type { ConfigOf, PlatformConfig } from '#platform/server/config.ts'

export const siteConfig = {
  /** Contact in security.txt for people who find a vulnerability: `mailto:`, `https:` or `tel:`; defaults to the support mailbox. */
  SECURITY_CONTACT: z
    .url({ protocol: /^(?:mailto|https|tel)$/ })
    .max(300)
    .optional(),
  /** Origins whose pages may embed ours in a frame, comma-separated; embedded pages show a warning, except for /embed-login. None by default. */
  EMBED_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((one) => one.trim() || []))
    .pipe(z.array(z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)).max(20)),
} as const

type SiteConfig = PlatformConfig & ConfigOf<typeof siteConfig>

/** The joined configuration with this feature's part typed; its values were checked at start. */
export function readSiteConfig(config: PlatformConfig & Readonly<Record<string, unknown>>): SiteConfig {
  return config as SiteConfig
}
