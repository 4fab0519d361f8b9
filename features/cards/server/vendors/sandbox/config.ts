import { z } from 'zod'
import type { IssuerConfig } from '../port.ts'

export const sandboxEnv = {
  /** Port of the sandbox card issuer; PORT + 1 when absent, 0 for any. */
  SANDBOX_ISSUER_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** URL of the issuer for other processes and browsers, behind a proxy or run by another process. This machine's port when absent. */
  SANDBOX_ISSUER_URL: z.url().optional(),
  /** Milliseconds that a sandbox shop waits for the decision on a purchase; then it declines. Real networks wait about 2 s. */
  SANDBOX_DECIDE_MS: z.coerce.number().int().min(100).max(600_000).default(2_000),
} as const

export interface Place {
  readonly port: number
  /** Configured URL, whichever process runs the company. */
  readonly url: string | undefined
  readonly host: string
  readonly folder: string
  readonly decideWithinMs: number
}

/** Resolves ports and folders. The issuer's folder is beside the platform's, not in it. */
export function placeOf(config: IssuerConfig): Place {
  const own = config['SANDBOX_ISSUER_PORT'] as number | undefined
  const platform = (config['PORT'] as number | undefined) ?? 0
  return {
    port: own ?? (platform && platform < 65535 ? platform + 1 : 0),
    url: (config['SANDBOX_ISSUER_URL'] as string | undefined)?.replace(/\/$/, ''),
    host: (config['HOST'] as string | undefined) ?? '127.0.0.1',
    folder: `${((config['DATA_DIR'] as string | undefined) ?? './data').replace(/\/+$/, '')}-issuer`,
    decideWithinMs: config['SANDBOX_DECIDE_MS'] as number,
  }
}
