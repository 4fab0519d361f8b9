import { z } from 'zod'
import type { ConfigShape } from '#platform/server/config.ts'

export const proxyConfig = {
  /** Port of the forward proxy (role `proxy`); defaults to PORT + 2000 (5000), or any free port if PORT=0. */
  PROXY_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** Address on which the proxy listens; defaults to HOST. */
  PROXY_HOST: z.string().optional(),
  /**
   * Host and port of the proxy as customers receive them, `host:port`; defaults
   * to the site's host and PROXY_PORT. Production opens no proxy without it.
   */
  PROXY_PUBLIC: z
    .string()
    .regex(/^[a-z0-9.-]{1,253}:\d{1,5}$/i)
    .optional(),
  /** File with a PEM certificate. With it and its key, the proxy also accepts TLS, and customers are given an https address. */
  PROXY_TLS_CERT: z.string().optional(),
  /** File with the certificate's key. */
  PROXY_TLS_KEY: z.string().optional(),
  /**
   * For tests: comma-separated `address:port` or `name=address:port` that the proxy may reach although they are not public. Production refuses it.
   */
  PROXY_TEST_TARGETS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
} as const satisfies ConfigShape
