import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'

/** The only file that reads the environment. Features join their own shapes to this one (see `readConfig`). */
export const platformConfig = {
  /**
   * Folders with secrets, apart by blanks: the file `FOLDER/NAME` holds the value of NAME where the environment has none. `PREFIX_` in place of
   * `FOLDER/` where files bear a prefix, as systemd's credentials do.
   */
  SECRETS: z.string().default(''),
  /** Where it listens; with REUSE_PORT several processes share it. */
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  /** On which address: all of them; 127.0.0.1 for this machine alone. */
  HOST: z.string().default('0.0.0.0'),
  /** The embedded PostgreSQL and the installation's key. */
  DATA_DIR: z.string().default('./data'),
  /** Pages that were built before: a folder with `web` and `prerender`. Built from the sources when absent. */
  PAGES_DIR: z.string().optional(),
  /** Draws every public page after the start, so that the first reader waits for nothing. */
  WARM_PAGES: z.stringbool().default(true),
  /** A PostgreSQL of one's own; parameters as libpq knows them, `?sslmode=verify-full&sslrootcert=/path` for TLS. */
  DATABASE_URL: z
    .string()
    .refine((url) => !/^[^/]*\/\/[^/?]*,/.test(url), 'names several hosts; put HAProxy or PgBouncer in front and name that (docs/decisions/0091)')
    .optional(),
  /** Connections of one process to the database, at most; four to six more serve its settings, jobs, news and readiness. */
  DATABASE_POOL: z.coerce.number().int().min(2).max(500).default(20),
  /** `check`: start only where somebody else has migrated. For processes whose database user owns nothing. */
  MIGRATE: z.enum(['run', 'check']).default('run'),
  /** Comma list of api, gateway, worker, sandbox, console, proxy, mail, remote; all by default. */
  ROLES: z
    .string()
    .default('api,gateway,worker,sandbox,console,proxy,mail,remote')
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(['api', 'gateway', 'worker', 'sandbox', 'console', 'proxy', 'mail', 'remote'])).min(1)),
  /** Where the operators' origin listens; a thousand above PORT when absent (4000), any free one with PORT=0. */
  CONSOLE_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** On which address: this machine alone, so that a tunnel or a proxy must be meant. */
  CONSOLE_HOST: z.string().default('127.0.0.1'),
  /** `production` refuses sandboxes and has no /sandbox, unless ALLOW_SANDBOX names them. */
  STAGE: z.enum(['production', 'qa', 'development']).default('development'),
  /** In development the first start makes a demo: two customers and two operators, with cards, orders and a month of use. */
  DEMO: z.stringbool().default(true),
  /** Where browsers and notices reach this server. Production needs it; in development the request's own host stands in (origins.ts). */
  PUBLIC_URL: z.url().optional(),
  /** Over https the whole name and all below it stay on https for a year; false where a host below is not on https yet. */
  HSTS_SUBDOMAINS: z.stringbool().default(true),
  /** Whose X-Forwarded-For is believed: addresses, networks, or loopback, linklocal, uniquelocal; a comma list. */
  TRUST_PROXY: z.string().default('loopback'),
  /** On SIGTERM: how long requests are still taken after /readyz has turned to 503, so that a balancer notices first. */
  DRAIN_NOTICE_MS: z.coerce.number().int().min(0).max(600_000).default(0),
  /** Then nothing listens, and open requests have this long to end. Streams take minutes: give them as much behind a balancer. */
  DRAIN_MS: z.coerce.number().int().min(0).max(7_200_000).default(25_000),
  /** Several processes share one port (SO_REUSEPORT), the old and the new one during a restart too. */
  REUSE_PORT: z.stringbool().default(false),
  /** Lets a scrape from another machine read /metrics with `Authorization: Bearer`. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Webhook for alarms that need neither the worker nor the database: JSON by POST from every process, with a `key` to fold them by. */
  ALARM_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Address that every process asks once a minute while the database takes writes and a worker looks at alarms; a service outside warns when that ends. */
  HEARTBEAT_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** From which weight on lines are logged. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /**
   * Sandboxes allowed by name: models, payment, card, mail, sms, google, support, identity, number. Production refuses to start with another one enabled;
   * elsewhere `payment` must be named where a vendor's real key stands beside it.
   */
  ALLOW_SANDBOX: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter(Boolean)),
  /** For tests: the process kills itself at this point (crash.ts). */
  CRASH_AT: z.string().optional(),
  /** Development and tests only: a file with the milliseconds by which this process and its database are ahead of the machine (test-clock/). */
  TEST_CLOCK: z.string().optional(),
  /** 32 random bytes, base64; made on first start in DATA_DIR when absent. */
  SECRET_KEY: z.string().optional(),
  /** Keys that still open what they sealed: those of before, and the next one before it is in use. Apart by commas or spaces. */
  SECRET_KEYS_OTHER: z
    .string()
    .default('')
    .transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  /** Under which name it runs, in English. */
  BRAND_NAME: z.string().default('Mingxi'),
  /** The name in Chinese. */
  BRAND_NAME_ZH: z.string().default('明细'),
  /** Who runs it, in the footer, legal texts and papers. */
  COMPANY: z.string().default('Mingxi (Hong Kong) Limited'),
  /** Where customers write to, and where their messages are mailed. */
  SUPPORT_EMAIL: z.email().default('support@mingxi.example'),
  /** Since when the terms hold; the day in the text itself when absent. */
  TERMS_UPDATED: z.iso.date().optional(),
  /** Since when the privacy policy holds; the day in the text itself when absent. */
  PRIVACY_UPDATED: z.iso.date().optional(),
  /** Since when the user agreement holds; the day in the text itself when absent. */
  PROTOCOL_UPDATED: z.iso.date().optional(),
  /** The production site. Outside production, the developer panel opens the current page there and switches calls to its API. */
  PRODUCTION_URL: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .optional(),
  /** The site on its domain for mainland China. Outside production, the developer panel opens the current page there and switches calls to its API. */
  CHINA_URL: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .optional(),
} as const

export type Shape = Readonly<Record<string, z.ZodType>>
export type ConfigOf<S extends Shape> = { readonly [K in keyof S]: z.output<S[K]> }
export type PlatformConfig = ConfigOf<typeof platformConfig>

/** Where the operators' origin listens; 0 for any free port. */
export function consolePortOf({ PORT, CONSOLE_PORT }: Pick<PlatformConfig, 'PORT' | 'CONSOLE_PORT'>): number {
  return CONSOLE_PORT ?? (PORT === 0 ? 0 : PORT > 64_535 ? PORT - 1000 : PORT + 1000)
}

/** Whether one of our stand-ins may serve: everywhere but in production, and there only by name. */
export function allowsSandbox(
  { STAGE, ALLOW_SANDBOX }: Pick<PlatformConfig, 'STAGE' | 'ALLOW_SANDBOX'>,
  name: 'models' | 'payment' | 'card' | 'mail' | 'sms' | 'google' | 'support' | 'identity' | 'number' | 'service',
): boolean {
  return STAGE !== 'production' || ALLOW_SANDBOX.includes(name)
}

/** A setting that is missing or not usable, with what to do. */
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
 * Reads and freezes the whole configuration; every problem is in one error, with those that `missing` finds in the settings that can be used.
 * `NAME_FILE` names a file that holds the value of `NAME`: how secrets are mounted into containers and services.
 */
export function readConfig<S extends Shape>(
  shape: S,
  env: Readonly<Record<string, string | undefined>> = process.env,
  missing: (config: Partial<ConfigOf<S>>) => readonly SettingProblem[] = () => [],
): ConfigOf<S> {
  const problems: SettingProblem[] = []
  const read: Record<string, unknown> = {}
  for (const [setting, schema] of Object.entries(shape)) {
    try {
      const parsed = schema.safeParse(valueOf(env, setting))
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

function valueOf(env: Readonly<Record<string, string | undefined>>, key: string): string | undefined {
  if (env[key]) return env[key]
  const file = env[`${key}_FILE`] ?? secretFile(env['SECRETS'], key)
  return file ? readFileSync(file, 'utf8').trim() || undefined : undefined
}

function secretFile(places: string | undefined, key: string): string | undefined {
  const files = places?.split(/\s+/).map((place) => `${place}${/[/_]$/.test(place) ? '' : '/'}${key}`)
  return files?.find((file) => existsSync(file))
}

/** A secret whose name only the data knows, with the same `_FILE` form; the caller says which names may be asked for. */
export function namedSecret(name: string, env: Readonly<Record<string, string | undefined>> = process.env): string | undefined {
  return valueOf(env, name)
}
