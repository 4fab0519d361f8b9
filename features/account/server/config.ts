import { z } from 'zod'
import type { ConfigOf, PlatformConfig } from '#platform/server/config.ts'

export const accountConfig = {
  /** Of the OAuth client in Google's console (docs/vendors/google.md). Absent: Google is off, outside production a stand-in of ours is on. */
  GOOGLE_CLIENT_ID: z.string().max(300).optional(),
  /** Another OpenID provider in Google's place; Google's own by default. */
  GOOGLE_ISSUER: z.url().default('https://accounts.google.com'),
  GOOGLE_AUTH_URL: z.url().default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_KEYS_URL: z.url().default('https://www.googleapis.com/oauth2/v3/certs'),
  GOOGLE_TOKENINFO_URL: z.url().default('https://oauth2.googleapis.com/tokeninfo'),
} as const

export type AccountConfig = PlatformConfig & ConfigOf<typeof accountConfig>

/** The joined configuration with this feature's part typed; its values were checked at start. */
export function readAccountConfig(config: PlatformConfig & Readonly<Record<string, unknown>>): AccountConfig {
  return config as AccountConfig
}
