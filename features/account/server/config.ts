import { z } from 'zod'

export const accountConfig = {
  /**
   * OAuth client of Google's console (docs/vendors/google.md). If absent, Google is off; outside production our fake provider replaces it.
   */
  GOOGLE_CLIENT_ID: z.string().max(300).optional(),
  /** OpenID provider to use instead of Google; defaults to Google. */
  GOOGLE_ISSUER: z.url().default('https://accounts.google.com'),
  GOOGLE_AUTH_URL: z.url().default('https://accounts.google.com/o/oauth2/v2/auth'),
  GOOGLE_KEYS_URL: z.url().default('https://www.googleapis.com/oauth2/v3/certs'),
  GOOGLE_TOKENINFO_URL: z.url().default('https://oauth2.googleapis.com/tokeninfo'),
} as const
