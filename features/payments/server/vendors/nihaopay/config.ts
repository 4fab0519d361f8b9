import { z } from 'zod'
import type { ChannelConfig } from '../port.ts'

export const nihaopayEnv = {
  /** API token; comma-separated during rotation: the first one makes calls, all of them verify notices. */
  NIHAOPAY_TOKENS: z
    .string()
    .regex(/^[\x21-\x2b\x2d-\x7e]{16,}(,\s*[\x21-\x2b\x2d-\x7e]{16,})*$/, 'must be tokens, with commas')
    .optional(),
  NIHAOPAY_METHODS: z
    .string()
    .regex(/^(unionpay|alipayhk)(,(unionpay|alipayhk))?$/)
    .default('unionpay,alipayhk'),
  NIHAOPAY_BASE_URL: z.url().default('https://api.nihaopay.com'),
} as const

export interface NihaopayAccount {
  readonly tokens: readonly [string, ...string[]]
  readonly methods: readonly string[]
  readonly baseUrl: string
}

export function readNihaopayAccount(config: ChannelConfig): NihaopayAccount | undefined {
  const env = z.object(nihaopayEnv).parse(Object.fromEntries(Object.keys(nihaopayEnv).map((name) => [name, config[name]])))
  if (!env.NIHAOPAY_TOKENS) return undefined
  return {
    tokens: env.NIHAOPAY_TOKENS.split(',').map((token) => token.trim()) as [string, ...string[]],
    methods: env.NIHAOPAY_METHODS.split(','),
    baseUrl: env.NIHAOPAY_BASE_URL.replace(/\/$/, ''),
  }
}
