import { z } from 'zod'
import type { IssuerConfig } from '../port.ts'

export const sandboxEnv = {
  /** The sandbox card issuer's own port; the one after PORT when absent, 0 for any. */
  SANDBOX_ISSUER_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  /** Where other processes and browsers reach it: behind a proxy, or when it runs at another process. This machine's port when absent. */
  SANDBOX_ISSUER_URL: z.url().optional(),
  /** Milliseconds that a shop of the sandbox waits for the decision on a purchase; without one it declines. Real networks wait about two seconds. */
  SANDBOX_DECIDE_MS: z.coerce.number().int().min(100).max(600_000).default(2_000),
} as const

export interface Place {
  readonly port: number
  /** Known beforehand, whoever runs it. */
  readonly url: string | undefined
  readonly host: string
  readonly folder: string
  readonly decideWithinMs: number
}

/** The issuer's folder lies beside the platform's, not in it. */
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
