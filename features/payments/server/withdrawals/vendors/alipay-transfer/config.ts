import type * as Alipay from 'alipay-sdk'
import { z } from 'zod'
import { loadPackage } from '#platform/server/load-package.ts'
import { parsePrivateKey } from '#platform/server/sealing/sign.ts'
import type { PayoutConfig } from '../port.ts'

/** Transfers need a separate application in certificate mode: Alipay accepts no plain public keys for payouts. */
export const alipayTransferEnv = {
  ALIPAY_PAYOUT_APP_ID: z
    .string()
    .regex(/^\d{16,32}$/)
    .optional(),
  ALIPAY_PAYOUT_PRIVATE_KEY: z.string().optional(),
  /** Certificates as PEM, or base64-encoded PEM: the application's, Alipay's, and Alipay's roots. */
  ALIPAY_PAYOUT_APP_CERT: z.string().optional(),
  ALIPAY_PAYOUT_ALIPAY_CERT: z.string().optional(),
  ALIPAY_PAYOUT_ROOT_CERT: z.string().optional(),
  ALIPAY_PAYOUT_GATEWAY: z.url().default('https://openapi.alipay.com/gateway.do'),
} as const

const TIMEOUT_MS = 10_000

export function readSdk(config: PayoutConfig): Alipay.AlipaySdk | undefined {
  const env = z.object(alipayTransferEnv).parse(Object.fromEntries(Object.keys(alipayTransferEnv).map((name) => [name, config[name]])))
  const { ALIPAY_PAYOUT_GATEWAY: gateway, ...needed } = env
  const names = ['ALIPAY_PAYOUT_APP_ID', 'ALIPAY_PAYOUT_PRIVATE_KEY', 'ALIPAY_PAYOUT_APP_CERT', 'ALIPAY_PAYOUT_ALIPAY_CERT', 'ALIPAY_PAYOUT_ROOT_CERT'] as const
  const missing = names.filter((name) => !needed[name])
  if (missing.length === names.length) return undefined
  if (missing.length) throw new Error(`Alipay payouts also need ${missing.join(', ')}`)
  const alipay = loadPackage<typeof Alipay>('alipay-sdk')
  try {
    return new alipay.AlipaySdk({
      appId: needed.ALIPAY_PAYOUT_APP_ID!,
      privateKey: parsePrivateKey(needed.ALIPAY_PAYOUT_PRIVATE_KEY!).export({ type: 'pkcs8', format: 'pem' }) as string,
      keyType: 'PKCS8',
      appCertContent: pem(needed.ALIPAY_PAYOUT_APP_CERT!),
      alipayPublicCertContent: pem(needed.ALIPAY_PAYOUT_ALIPAY_CERT!),
      alipayRootCertContent: pem(needed.ALIPAY_PAYOUT_ROOT_CERT!),
      signType: 'RSA2',
      gateway,
      timeout: TIMEOUT_MS,
      camelcase: false,
    })
  } catch {
    // The original error may quote a key.
    throw new Error('the key or a certificate of Alipay payouts cannot be read')
  }
}

const pem = (text: string) => (text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : Buffer.from(text, 'base64').toString('utf8'))
