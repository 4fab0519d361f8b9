import { z } from 'zod'
import type { ChannelConfig, PayCurrency } from '../port.ts'

export const paymentsStripeEnv = {
  STRIPE_SECRET_KEY: z
    .string()
    .regex(/^(sk|rk)_(live|test)_\w{8,}$/, 'must begin with sk_live_, sk_test_, rk_live_ or rk_test_')
    .optional(),
  /** Signing secrets of the webhook endpoint; comma-separated during rotation. */
  STRIPE_WEBHOOK_SECRETS: z
    .string()
    .regex(/^whsec_\S{8,}(,\s*whsec_\S{8,})*$/, 'must be whsec_…, with commas')
    .optional(),
  STRIPE_METHODS: z
    .string()
    .regex(/^(card|alipay|wechat_pay)(,(card|alipay|wechat_pay)){0,2}$/)
    .default('card'),
  STRIPE_CURRENCY: z.enum(['usd', 'cny']).default('usd'),
  /** Stripe's address; overridden in tests. */
  STRIPE_API_BASE: z.url().default('https://api.stripe.com'),
} as const

export type StripeMethod = 'card' | 'alipay' | 'wechat_pay'

export interface PaymentsStripeAccount {
  readonly secretKey: string
  readonly webhookSecrets: readonly string[]
  readonly isLive: boolean
  readonly methods: readonly StripeMethod[]
  readonly currency: PayCurrency
  readonly base: URL
}

export function readPaymentsStripeAccount(config: ChannelConfig): PaymentsStripeAccount | undefined {
  const env = z.object(paymentsStripeEnv).parse(Object.fromEntries(Object.keys(paymentsStripeEnv).map((name) => [name, config[name]])))
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRETS: secrets } = env
  if (!secretKey && !secrets) return undefined
  if (!secretKey || !secrets) throw new Error(`Stripe also needs ${secretKey ? 'STRIPE_WEBHOOK_SECRETS' : 'STRIPE_SECRET_KEY'}`)
  return {
    secretKey,
    webhookSecrets: secrets.split(',').map((secret) => secret.trim()),
    isLive: secretKey.includes('_live_'),
    methods: [...new Set(env.STRIPE_METHODS.split(','))] as StripeMethod[],
    currency: env.STRIPE_CURRENCY === 'cny' ? 'CNY' : 'USD',
    base: new URL(env.STRIPE_API_BASE),
  }
}
