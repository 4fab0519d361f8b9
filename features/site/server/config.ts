import { z } from 'zod'
import type { ConfigOf, PlatformConfig } from '#platform/server/config.ts'

export const siteConfig = {
  /** Where security.txt sends finders: `mailto:`, `https:` or `tel:`. The support mailbox when absent. */
  SECURITY_CONTACT: z
    .url({ protocol: /^(?:mailto|https|tel)$/ })
    .max(300)
    .optional(),
  /** Origins whose pages may show ours in a frame, a comma list: with a warning, but for /embed-login. None by default. */
  EMBED_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((one) => one.trim() || []))
    .pipe(z.array(z.url({ protocol: /^https?$/ }).transform((url) => new URL(url).origin)).max(20)),
} as const

type SiteConfig = PlatformConfig & ConfigOf<typeof siteConfig>

/** The joined configuration with this feature's part typed; its values were checked at start. */
export function siteConfigOf(config: PlatformConfig & Readonly<Record<string, unknown>>): SiteConfig {
  return config as SiteConfig
}
