import { z } from 'zod'

export const backofficeConfig = {
  /** Public URL of the console, `https://ops.example.com`; passkeys are bound to it. Default: `http://localhost` with CONSOLE_PORT. */
  CONSOLE_URL: z.url({ protocol: /^https?$/ }).optional(),
} as const
