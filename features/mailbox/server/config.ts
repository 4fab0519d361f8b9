import { z } from 'zod'
import type { Deps } from '#platform/server/feature.ts'

const domain = /^(?=.{4,200}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/

export const mailboxConfig = {
  /** Domains that mailboxes are given out under, a comma list; their MX records lead to a process with the role `mail`. Without one outside development no mailbox is sold. */
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
  /** Where the role `mail` listens for SMTP: 25 on a real machine. 25 above PORT when absent, any free one with PORT=0. */
  MAILBOX_SMTP_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** The name it greets with, which its certificate bears. */
  MAILBOX_HOSTNAME: z.string().regex(domain).optional(),
  /** PEM of the key for STARTTLS; without key and certificate one is taken that nobody knows. */
  MAILBOX_TLS_KEY: z.string().optional(),
  /** PEM of its certificate chain. */
  MAILBOX_TLS_CERT: z.string().optional(),
  /** The largest mail, megabytes. */
  MAILBOX_MAX_MB: z.coerce.number().int().min(1).max(50).default(10),
  /** A JSON file with DNS records to check senders by, instead of the machine’s DNS: for tests. */
  MAILBOX_ZONE_FILE: z.string().optional(),
} as const

const IN_DEVELOPMENT = 'box.mingxi.example'
type Config = Pick<Deps, 'config'>
const of = <T>({ config }: Config, name: keyof typeof mailboxConfig): T | undefined => config[name] as T | undefined

/** Domains that are ours, the usual one first; none in production until they are named. */
export function domainsOf(deps: Config): readonly string[] {
  return of<readonly string[]>(deps, 'MAILBOX_DOMAINS') ?? (deps.config.STAGE === 'production' ? [] : [IN_DEVELOPMENT])
}

export function smtpOf(deps: Config) {
  const { PORT, HOST } = deps.config
  const [key, cert] = [of<string>(deps, 'MAILBOX_TLS_KEY'), of<string>(deps, 'MAILBOX_TLS_CERT')]
  return {
    host: HOST,
    port: of<number>(deps, 'MAILBOX_SMTP_PORT') ?? (PORT === 0 || PORT > 65_510 ? 0 : PORT + 25),
    /** Somebody said where: then it must listen there. */
    isNamed: of<number>(deps, 'MAILBOX_SMTP_PORT') !== undefined,
    name: of<string>(deps, 'MAILBOX_HOSTNAME') ?? `mx.${domainsOf(deps)[0] ?? IN_DEVELOPMENT}`,
    tls: key && cert ? { key, cert } : undefined,
    maxBytes: (of<number>(deps, 'MAILBOX_MAX_MB') ?? 10) * 1_000_000,
    zoneFile: of<string>(deps, 'MAILBOX_ZONE_FILE'),
  }
}
