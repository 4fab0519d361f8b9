import { z } from 'zod'
import type { IssuerConfig } from '../port.ts'

export const stripeIssuingEnv = {
  /** Key of the Stripe account that issues cards: `rk_…` or `sk_…`. */
  STRIPE_ISSUING_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(live|test)_\w{8,}$/, 'must begin with sk_live_, sk_test_, rk_live_ or rk_test_')
    .optional(),
  /** The key that pages may know, of the same account and mode: shows a card's number in the holder's browser. */
  STRIPE_ISSUING_PUBLISHABLE_KEY: z
    .string()
    .regex(/^pk_(live|test)_\w{8,}$/, 'must begin with pk_live_ or pk_test_')
    .optional(),
  /** Signing secrets of the endpoints for decisions and for events; several with commas, also while they are rolled. */
  STRIPE_ISSUING_WEBHOOK_SECRETS: z
    .string()
    .regex(/^whsec_\S{8,}(,\s*whsec_\S{8,})*$/, 'must be whsec_…, with commas')
    .optional(),
  /** Stripe's address for issuing; another one for tests. */
  STRIPE_ISSUING_API_BASE: z.url().default('https://api.stripe.com'),
} as const

export interface StripeIssuingAccount {
  readonly secretKey: string
  readonly publishableKey: string
  readonly webhookSecrets: readonly string[]
  readonly isLive: boolean
  readonly base: URL
}

/** Returns undefined if nothing is set; throws an error that names the missing variables if only a part is. */
export function readStripeIssuingAccount(config: IssuerConfig): StripeIssuingAccount | undefined {
  const names = ['STRIPE_ISSUING_SECRET_KEY', 'STRIPE_ISSUING_PUBLISHABLE_KEY', 'STRIPE_ISSUING_WEBHOOK_SECRETS'] as const
  const [secretKey, publishableKey, secrets] = names.map((name) => config[name] as string | undefined)
  if (!secretKey && !publishableKey && !secrets) return undefined
  for (const name of names) {
    const { success } = stripeIssuingEnv[name].safeParse(config[name])
    if (!config[name] || !success) throw new Error(`card issuing through Stripe needs ${name}`)
  }
  const isLive = secretKey!.includes('_live_')
  if (publishableKey!.startsWith('pk_live_') !== isLive) throw new Error('STRIPE_ISSUING_PUBLISHABLE_KEY and STRIPE_ISSUING_SECRET_KEY are of two modes')
  return {
    secretKey: secretKey!,
    publishableKey: publishableKey!,
    webhookSecrets: secrets!.split(',').map((secret) => secret.trim()),
    isLive,
    base: new URL((config['STRIPE_ISSUING_API_BASE'] as string | undefined) ?? 'https://api.stripe.com'),
  }
}
