import { z } from 'zod'
import type { Shape } from '#platform/server/config.ts'

export const proxyConfig = {
  /** Where the forward proxy listens (role `proxy`); two thousand above PORT when absent (5000), any free one with PORT=0. */
  PROXY_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** On which address; HOST when absent. */
  PROXY_HOST: z.string().optional(),
  /** What customers are given as the proxy's host and port, `host:port`; the site's own host and PROXY_PORT when absent. Production opens no proxy without it. */
  PROXY_PUBLIC: z
    .string()
    .regex(/^[a-z0-9.-]{1,253}:\d{1,5}$/i)
    .optional(),
  /** A certificate's file in PEM: with it and its key clients may speak TLS to the proxy, and are told to. */
  PROXY_TLS_CERT: z.string().optional(),
  /** The file of its key. */
  PROXY_TLS_KEY: z.string().optional(),
  /** For tests: `address:port` or `name=address:port` that the proxy reaches though they are not public, a comma list. Production refuses it. */
  PROXY_TEST_TARGETS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
} as const satisfies Shape
