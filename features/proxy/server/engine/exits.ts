import { z } from 'zod'
import { mapLangs } from '#platform/shared/map-langs.ts'

/** An exit of the proxy: this machine if `url` is absent, else an upstream proxy that accepts HTTP CONNECT. */
export const exit = z.object({
  id: z.string().regex(/^[a-z0-9-]{2,32}$/),
  /** Name for customers, in each language. */
  ...mapLangs(() => z.string().min(1).max(60)),
  /** `http://host:port` or `https://host:port`, without credentials. */
  url: z
    .url({ protocol: /^https?$/ })
    .refine((text) => new URL(text).username === '')
    .optional(),
  /** Environment variable with `user:password`; its name begins with PROXY_EXIT_. */
  secret: z
    .string()
    .regex(/^PROXY_EXIT_[A-Z0-9_]{1,40}$/)
    .optional(),
  isOn: z.boolean().default(true),
})
export type Exit = z.output<typeof exit>
