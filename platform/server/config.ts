import { z } from 'zod'

/** The only file that reads the environment. Features join their own shapes to this one (see `readConfig`). */
export const platformConfig = {
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  HOST: z.string().default('0.0.0.0'),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: z.string().optional(),
  /** Comma list of api, gateway, worker, sandbox; all by default. */
  ROLES: z
    .string()
    .default('api,gateway,worker,sandbox')
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['api', 'gateway', 'worker', 'sandbox'])).min(1)),
  STAGE: z.enum(['production', 'qa', 'development']).default('development'),
  /** Where browsers and notices reach this server; derived from PORT when absent. */
  PUBLIC_URL: z.url().optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Sandboxes allowed in production, by name: the server refuses to start with another one enabled there. */
  ALLOW_SANDBOX: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
  CRASH_AT: z.string().optional(),
  /** 32 random bytes, base64; made on first start in DATA_DIR when absent. */
  SECRET_KEY: z.string().optional(),
  BRAND_NAME: z.string().default('Mingxi'),
  BRAND_NAME_ZH: z.string().default('明细'),
  COMPANY: z.string().default('Mingxi (Hong Kong) Limited'),
  SUPPORT_EMAIL: z.email().default('support@mingxi.example'),
  /** Days since which the legal texts hold; those of the texts themselves when absent. */
  TERMS_UPDATED: z.iso.date().optional(),
  PRIVACY_UPDATED: z.iso.date().optional(),
  PROTOCOL_UPDATED: z.iso.date().optional(),
} as const

export type Shape = Readonly<Record<string, z.ZodType>>
export type ConfigOf<S extends Shape> = { readonly [K in keyof S]: z.output<S[K]> }
export type PlatformConfig = ConfigOf<typeof platformConfig>

/** Reads and freezes the whole configuration; every problem is printed together in one error. */
export function readConfig<S extends Shape>(shape: S, env: Readonly<Record<string, string | undefined>> = process.env): ConfigOf<S> {
  const filled = Object.fromEntries(Object.keys(shape).map((key) => [key, env[key] === '' ? undefined : env[key]]))
  const parsed = z.object(shape).safeParse(filled)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`The configuration is not usable:\n${lines.join('\n')}`)
  }
  return Object.freeze(parsed.data) as ConfigOf<S>
}
