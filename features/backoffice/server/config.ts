import { z } from 'zod'

export const backofficeConfig = {
  /** Where operators reach their pages, `https://ops.example.com`: passkeys are bound to it. `http://localhost` and CONSOLE_PORT when absent. */
  CONSOLE_URL: z.url({ protocol: /^https?$/ }).optional(),
} as const
