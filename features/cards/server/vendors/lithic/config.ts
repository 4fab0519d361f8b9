import { z } from 'zod'
import type { IssuerConfig } from '../port.ts'

export const lithicEnv = {
  /** Lithic's API key. */
  LITHIC_API_KEY: z
    .string()
    .regex(/^[\w-]{16,}$/, 'must be the API key of the program')
    .optional(),
  /** The secret of the responder for authorisations (ASA). */
  LITHIC_ASA_SECRET: z
    .string()
    .regex(/^whsec_[\w+/=]{8,}$/, 'must be whsec_…')
    .optional(),
  /** Signing secrets of the event subscription; several with commas while they are rolled. */
  LITHIC_WEBHOOK_SECRETS: z
    .string()
    .regex(/^whsec_[\w+/=]{8,}(,\s*whsec_[\w+/=]{8,})*$/, 'must be whsec_…, with commas')
    .optional(),
  /** The program's cards; the account's only one when absent. */
  LITHIC_CARD_PROGRAM: z.uuid().optional(),
  /** https://sandbox.lithic.com for Lithic's own sandbox. */
  LITHIC_API_BASE: z.url().default('https://api.lithic.com'),
} as const

export interface LithicAccount {
  readonly apiKey: string
  readonly asaSecret: string
  readonly webhookSecrets: readonly string[]
  readonly program: string | undefined
  readonly base: string
}

/** Returns undefined if nothing is set; throws an error that names the missing variables if only a part is. */
export function readLithicAccount(config: IssuerConfig): LithicAccount | undefined {
  const names = ['LITHIC_API_KEY', 'LITHIC_ASA_SECRET', 'LITHIC_WEBHOOK_SECRETS'] as const
  const [apiKey, asaSecret, secrets] = names.map((name) => config[name] as string | undefined)
  if (!apiKey && !asaSecret && !secrets) return undefined
  for (const name of names) {
    const { success } = lithicEnv[name].safeParse(config[name])
    if (!config[name] || !success) throw new Error(`card issuing through Lithic needs ${name}`)
  }
  return {
    apiKey: apiKey!,
    asaSecret: asaSecret!,
    webhookSecrets: secrets!.split(',').map((secret) => secret.trim()),
    program: config['LITHIC_CARD_PROGRAM'] as string | undefined,
    base: ((config['LITHIC_API_BASE'] as string | undefined) ?? 'https://api.lithic.com').replace(/\/$/, ''),
  }
}
