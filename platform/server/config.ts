import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** The only file that reads the environment. Features join their own shapes to this one (see `readConfig`). */
export const platformConfig = {
  /**
   * Folders with secrets, separated by spaces: the file `FOLDER/NAME` holds the value of NAME unless the environment sets it. Use `PREFIX_` instead
   * of `FOLDER/` where file names carry a prefix, as systemd's credentials do.
   */
  SECRETS: z.string().default(''),
  /** TCP port of the server; with REUSE_PORT several processes share it. */
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  /** Address to listen on: all interfaces by default; 127.0.0.1 for this machine only. */
  HOST: z.string().default('0.0.0.0'),
  /** Folder of the embedded PostgreSQL and the installation's key. */
  DATA_DIR: z.string().default('./data'),
  /** Prebuilt pages: a folder with `web` and `prerender`. Built from the sources when absent. */
  PAGES_DIR: z.string().optional(),
  /** Renders every public page after the start, so that the first request finds it cached. */
  WARM_PAGES: z.stringbool().default(true),
  /** An existing PostgreSQL server; takes libpq's parameters, such as `?sslmode=verify-full&sslrootcert=/path` for TLS. */
  DATABASE_URL: z
    .string()
    .refine(
      (url) => !/^[^/]*\/\/[^/?]*,/.test(url),
      'names several hosts; put HAProxy or PgBouncer in front and name that (docs/decisions/outages-and-alarms.md)',
    )
    .optional(),
  /** Maximum database connections of one process; four to six more serve its settings, jobs, notifications and readiness check. */
  DATABASE_POOL: z.coerce.number().int().min(2).max(500).default(20),
  /** `check` refuses to start on a database that is not migrated. For processes whose database user owns no tables. */
  MIGRATE: z.enum(['run', 'check']).default('run'),
  /** Comma list of api, gateway, worker, sandbox, console, proxy, mail, remote; all by default. */
  ROLES: z
    .string()
    .default('api,gateway,worker,sandbox,console,proxy,mail,remote')
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['api', 'gateway', 'worker', 'sandbox', 'console', 'proxy', 'mail', 'remote'])).min(1)),
  /** Port of the operators' origin; defaults to PORT plus 1000 (4000), or any free port with PORT=0. */
  CONSOLE_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** Address of the operators' origin: this machine only by default, so that exposing it takes a deliberate tunnel or proxy. */
  CONSOLE_HOST: z.string().default('127.0.0.1'),
  /** `production` refuses sandboxes and serves no /sandbox, except those named in ALLOW_SANDBOX. */
  STAGE: z.enum(['production', 'qa', 'development']).default('development'),
  /** In development the first start seeds a demo: two customers and two operators, with cards, orders and a month of use. */
  DEMO: z.stringbool().default(true),
  /**
   * Public URL of this server for browsers and webhooks. Required in production; in development it defaults to the request's own host (origins.ts).
   */
  PUBLIC_URL: z.url().optional(),
  /** The HSTS header (one year, https only) covers all subdomains; set to false while one of them has no https. */
  HSTS_SUBDOMAINS: z.stringbool().default(true),
  /** Proxies whose X-Forwarded-For is trusted: a comma list of addresses, networks, loopback, linklocal or uniquelocal. */
  TRUST_PROXY: z.string().default('loopback'),
  /** Milliseconds after SIGTERM in which requests are still accepted while /readyz answers 503, so that the load balancer notices first. */
  DRAIN_NOTICE_MS: z.coerce.number().int().min(0).max(600_000).default(0),
  /** Milliseconds that open requests have to end once the listener has closed. Streams take minutes: give them as much behind a balancer. */
  DRAIN_MS: z.coerce.number().int().min(0).max(7_200_000).default(25_000),
  /** Several processes share one port (SO_REUSEPORT), including the old and the new one during a restart. */
  REUSE_PORT: z.stringbool().default(false),
  /** Bearer token with which a scraper on another machine may read /metrics. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Webhook for alarms that work without the worker and the database: every process POSTs JSON, with a `key` for deduplication. */
  ALARM_URL: z.url({ protocol: /^https?$/ }).optional(),
  /**
   * URL that every process calls once a minute while the database accepts writes and a worker checks alarms; an external service alerts when the
   * calls stop.
   */
  HEARTBEAT_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Lowest level that is logged. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /**
   * Sandboxes allowed by name: models, payment, card, mail, sms, google, support, identity, number. Production refuses to start with any other one
   * enabled; elsewhere `payment` must be named if a vendor's real key is configured too.
   */
  ALLOW_SANDBOX: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
  /** For tests: the process kills itself at this point (crash.ts). */
  CRASH_AT: z.string().optional(),
  /** Development and tests only: a file with the milliseconds by which this process and its database are ahead of the machine (test-clock/). */
  TEST_CLOCK: z.string().optional(),
  /** 32 random bytes, base64; generated in DATA_DIR on the first start when absent. */
  SECRET_KEY: z.string().optional(),
  /** Further keys that can unseal: previous ones, and the next one before it is in use. Separated by commas or spaces. */
  SECRET_KEYS_OTHER: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  /** Brand name in English. */
  BRAND_NAME: z.string().default('Mingxi'),
  /** Brand name in Chinese. */
  BRAND_NAME_ZH: z.string().default('明细'),
  /** Operating company, shown in the footer, legal texts and invoices. */
  COMPANY: z.string().default('Mingxi (Hong Kong) Limited'),
  /** Support address shown to customers; their messages are mailed to it. */
  SUPPORT_EMAIL: z.email().default('support@mingxi.example'),
  /** Effective date of the terms; defaults to the date in the text. */
  TERMS_UPDATED: z.iso.date().optional(),
  /** Effective date of the privacy policy; defaults to the date in the text. */
  PRIVACY_UPDATED: z.iso.date().optional(),
  /** Effective date of the user agreement; defaults to the date in the text. */
  PROTOCOL_UPDATED: z.iso.date().optional(),
  /** URL of the production site. Outside production, the developer panel opens the current page there and switches calls to its API. */
  PRODUCTION_URL: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .optional(),
  /**
   * URL of the site on its domain for mainland China. Outside production, the developer panel opens the current page there and switches calls to its
   * API.
   */
  CHINA_URL: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .optional(),
} as const

export type ConfigShape = Readonly<Record<string, z.ZodType>>
export type ConfigOf<S extends ConfigShape> = { readonly [K in keyof S]: z.output<S[K]> }
export type PlatformConfig = ConfigOf<typeof platformConfig>

/** Port of the operators' origin; 0 for any free port. */
export function resolveConsolePort({ PORT, CONSOLE_PORT }: Pick<PlatformConfig, 'PORT' | 'CONSOLE_PORT'>): number {
  return CONSOLE_PORT ?? (PORT === 0 ? 0 : PORT > 64_535 ? PORT - 1000 : PORT + 1000)
}

/** True if the named sandbox may serve: always outside production, and in production only if ALLOW_SANDBOX names it. */
export function allowsSandbox(
  { STAGE, ALLOW_SANDBOX }: Pick<PlatformConfig, 'STAGE' | 'ALLOW_SANDBOX'>,
  name: 'models' | 'payment' | 'card' | 'mail' | 'sms' | 'google' | 'support' | 'identity' | 'number' | 'service',
): boolean {
  return STAGE !== 'production' || ALLOW_SANDBOX.includes(name)
}

/** A missing or invalid setting, with advice. */
export interface SettingProblem {
  readonly setting: string
  readonly problem: string
}

/** The configuration could not be used. Its message lists every problem. */
export class ConfigError extends Error {
  constructor(problems: readonly SettingProblem[]) {
    const width = Math.max(...problems.map(({ setting }) => setting.length))
    const lines = problems.map(({ setting, problem }) => `  ${setting.padEnd(width)}  ${problem}`)
    const many = problems.length === 1 ? '1 setting is' : `${problems.length} settings are`
    super(
      `${many} missing or not usable:\n${lines.join('\n')}\nA secret may also be a file: NAME_FILE is its path, or SECRETS names the folder. All settings: docs/settings.md`,
    )
  }
}

/**
 * Reads and freezes the whole configuration. Throws one error with every problem, including those that `missing` finds in the valid
 * settings. `NAME_FILE` names a file that holds the value of `NAME`: the way secrets are mounted into containers and services.
 */
export function readConfig<S extends ConfigShape>(
  shape: S,
  env: Readonly<Record<string, string | undefined>> = process.env,
  missing: (config: Partial<ConfigOf<S>>) => readonly SettingProblem[] = () => [],
): ConfigOf<S> {
  const problems: SettingProblem[] = []
  const read: Record<string, unknown> = {}
  for (const [setting, schema] of Object.entries(shape)) {
    try {
      const parsed = schema.safeParse(readValue(env, setting))
      if (parsed.success) read[setting] = parsed.data
      else problems.push(...parsed.error.issues.map(({ message }) => ({ setting, problem: message })))
    } catch (error) {
      problems.push({ setting: `${setting}_FILE`, problem: `names a file that cannot be read: ${(error as Error).message}` })
    }
  }
  const wrong = new Set(problems.map(({ setting }) => setting.replace(/_FILE$/, '')))
  problems.push(...missing(read as Partial<ConfigOf<S>>).filter(({ setting }) => !setting.split(/\W+/).some((name) => wrong.has(name))))
  if (problems.length) throw new ConfigError(problems)
  return Object.freeze(read) as ConfigOf<S>
}

function readValue(env: Readonly<Record<string, string | undefined>>, key: string): string | undefined {
  if (env[key]) return env[key]
  const file = env[`${key}_FILE`] ?? findSecretFile(env['SECRETS'], key)
  return file ? readFileSync(file, 'utf8').trim() || undefined : undefined
}

function findSecretFile(places: string | undefined, key: string): string | undefined {
  const files = places?.split(/\s+/).map((place) => `${place}${/[/_]$/.test(place) ? '' : '/'}${key}`)
  return files?.find((file) => existsSync(file))
}

/** Reads a secret whose name comes from data, with the same `_FILE` form; the caller restricts the names. */
export function readNamedSecret(name: string, env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  return readValue(env, name)
}
