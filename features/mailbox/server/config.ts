import { z } from 'zod'
import type { Deps } from '#platform/server/feature.ts'

const domain = /^(?=.{4,200}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/

export const mailboxConfig = {
  /**
   * Mail domains of the mailboxes, a comma list; their MX records lead to a process with the role `mail`. Without one outside development
   * no mailbox is sold.
   */
  MAILBOX_DOMAINS: z
    .string()
    .optional()
    .transform((text) =>
      text
        ?.split(',')
        .map((one) => one.trim().toLowerCase())
        .filter(Boolean),
    )
    .pipe(z.array(z.string().regex(domain, 'must be domains, with commas')).optional()),
  /** SMTP port of the role `mail`, 25 in production. Defaults to PORT + 25, or any free port if PORT=0. */
  MAILBOX_SMTP_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** Hostname in the SMTP greeting and in the certificate. */
  MAILBOX_HOSTNAME: z.string().regex(domain).optional(),
  /** PEM key for STARTTLS; defaults to a self-signed certificate. */
  MAILBOX_TLS_KEY: z.string().optional(),
  /** PEM of the certificate chain. */
  MAILBOX_TLS_CERT: z.string().optional(),
  /** Maximum size of a mail in megabytes. */
  MAILBOX_MAX_MB: z.coerce.number().int().min(1).max(50).default(10),
  /** For tests: a JSON file with DNS records for the sender checks, instead of DNS. */
  MAILBOX_ZONE_FILE: z.string().optional(),
} as const

const IN_DEVELOPMENT = 'box.mingxi.example'
type Config = Pick<Deps, 'config'>
const readSetting = <T>({ config }: Config, name: keyof typeof mailboxConfig): T | undefined => config[name] as T | undefined

/** Our mail domains, the default first; none in production unless configured. */
export function listMailDomains(deps: Config): readonly string[] {
  return readSetting<readonly string[]>(deps, 'MAILBOX_DOMAINS') ?? (deps.config.STAGE === 'production' ? [] : [IN_DEVELOPMENT])
}

export function readSmtpConfig(deps: Config) {
  const { PORT, HOST } = deps.config
  const [key, cert] = [readSetting<string>(deps, 'MAILBOX_TLS_KEY'), readSetting<string>(deps, 'MAILBOX_TLS_CERT')]
  return {
    host: HOST,
    port: readSetting<number>(deps, 'MAILBOX_SMTP_PORT') ?? (PORT === 0 || PORT > 65_510 ? 0 : PORT + 25),
    /** True if the port is configured: then a failure to listen is fatal. */
    isNamed: readSetting<number>(deps, 'MAILBOX_SMTP_PORT') !== undefined,
    name: readSetting<string>(deps, 'MAILBOX_HOSTNAME') ?? `mx.${listMailDomains(deps)[0] ?? IN_DEVELOPMENT}`,
    tls: key && cert ? { key, cert } : undefined,
    maxBytes: (readSetting<number>(deps, 'MAILBOX_MAX_MB') ?? 10) * 1_000_000,
    zoneFile: readSetting<string>(deps, 'MAILBOX_ZONE_FILE'),
  }
}
