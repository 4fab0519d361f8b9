import type * as Alipay from 'alipay-sdk'
import { z } from 'zod'
import { loadPackage } from '#platform/server/load-package.ts'
import { parsePrivateKey, parsePublicKey } from '#platform/server/sealing/sign.ts'
import { parseMinor } from '#platform/shared/money.ts'
import type { ChannelConfig, PayForm } from '../port.ts'

export const alipayEnv = {
  ALIPAY_APP_ID: z
    .string()
    .regex(/^\d{16,32}$/)
    .optional(),
  /** The receiving account: its PID, 2088 and twelve digits. */
  ALIPAY_SELLER_ID: z
    .string()
    .regex(/^2088\d{12}$/)
    .optional(),
  ALIPAY_PRIVATE_KEY: z.string().optional(),
  /** Alipay's public key, not ours; comma-separated during rotation, the current one first. */
  ALIPAY_PUBLIC_KEYS: z.string().optional(),
  /** On a desktop: our QR code (precreate), Alipay's code in a frame (form), or Alipay's page (redirect). */
  ALIPAY_DESKTOP: z.enum(['qr', 'form', 'redirect']).default('form'),
  /** On a phone: Alipay's mobile page, by address or by a form. */
  ALIPAY_MOBILE: z.enum(['redirect', 'form']).default('redirect'),
  /** Deduction contract (商家扣款): once per number of days, or as often as needed. Absent: no auto recharge with Alipay. */
  ALIPAY_AGREEMENT_PRODUCT: z.enum(['CYCLE_PAY_AUTH_P', 'GENERAL_WITHHOLDING_P']).optional(),
  /** Scene named in the contract. */
  ALIPAY_AGREEMENT_SCENE: z
    .string()
    .regex(/^[A-Z_]+(\|[A-Z_]+)?$/)
    .optional(),
  /** Period of CYCLE_PAY_AUTH_P: days between two deductions, at least 7. */
  ALIPAY_AGREEMENT_DAYS: z.coerce.number().int().min(7).max(365).default(7),
  /** Largest single deduction in yuan, as in the contract. */
  ALIPAY_AGREEMENT_MOST: z
    .string()
    .regex(/^[1-9]\d{0,5}(\.\d{2})?$/)
    .default('500.00'),
  /** Minimum notice to the payer before a deduction, in minutes. */
  ALIPAY_AGREEMENT_NOTICE_MINUTES: z.coerce.number().int().min(0).max(10_080).default(0),
  ALIPAY_GATEWAY: z.url().default('https://openapi.alipay.com/gateway.do'),
} as const

const shape = z.object(alipayEnv)

/** A merchant's account at Alipay. `sdks` differ only by Alipay's key; the first one makes calls, all of them verify notices. */
export interface AlipayAccount {
  readonly appId: string
  readonly sellerId: string
  readonly sdks: readonly [Alipay.AlipaySdk, ...Alipay.AlipaySdk[]]
  readonly desktop: PayForm
  readonly mobile: PayForm
  readonly gateway: string
  readonly withholding?: Withholding
}

/** Terms of the deduction contract. `days`: the period of a periodic product. */
export interface Withholding {
  readonly product: 'CYCLE_PAY_AUTH_P' | 'GENERAL_WITHHOLDING_P'
  readonly scene: string
  readonly days?: number
  readonly mostMinor: bigint
  readonly noticeMinutes: number
}

const TIMEOUT_MS = 8000

export function readAlipayAccount(config: ChannelConfig): AlipayAccount | undefined {
  const env = shape.parse(Object.fromEntries(Object.keys(alipayEnv).map((name) => [name, config[name]])))
  const { ALIPAY_APP_ID: appId, ALIPAY_SELLER_ID: sellerId, ALIPAY_PRIVATE_KEY, ALIPAY_PUBLIC_KEYS } = env
  const needed = { ALIPAY_APP_ID: appId, ALIPAY_SELLER_ID: sellerId, ALIPAY_PRIVATE_KEY, ALIPAY_PUBLIC_KEYS }
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]))
  if (missing.length === Object.keys(needed).length) return undefined
  if (missing.length) throw new Error(`Alipay also needs ${missing.join(', ')}`)
  const privateKey = nameError('ALIPAY_PRIVATE_KEY', () => parsePrivateKey(ALIPAY_PRIVATE_KEY!).export({ type: 'pkcs8', format: 'pem' }) as string)
  const alipay = loadPackage<typeof Alipay>('alipay-sdk')
  const sdks = ALIPAY_PUBLIC_KEYS!.split(',').map((text) => {
    const alipayPublicKey = nameError('ALIPAY_PUBLIC_KEYS', () => parsePublicKey(text).export({ type: 'spki', format: 'pem' }) as string)
    // RSA2 only: `RSA` is SHA-1.
    return new alipay.AlipaySdk({
      appId: appId!,
      privateKey,
      keyType: 'PKCS8',
      alipayPublicKey,
      signType: 'RSA2',
      gateway: env.ALIPAY_GATEWAY,
      timeout: TIMEOUT_MS,
      camelcase: false,
    })
  })
  return {
    appId: appId!,
    sellerId: sellerId!,
    sdks: sdks as [Alipay.AlipaySdk, ...Alipay.AlipaySdk[]],
    desktop: env.ALIPAY_DESKTOP,
    mobile: env.ALIPAY_MOBILE,
    gateway: env.ALIPAY_GATEWAY,
    ...(env.ALIPAY_AGREEMENT_PRODUCT ? { withholding: parseWithholding(env, env.ALIPAY_AGREEMENT_PRODUCT) } : {}),
  }
}

function parseWithholding(env: z.output<typeof shape>, product: Withholding['product']): Withholding {
  if (!env.ALIPAY_AGREEMENT_SCENE) throw new Error('Alipay also needs ALIPAY_AGREEMENT_SCENE')
  return {
    product,
    scene: env.ALIPAY_AGREEMENT_SCENE,
    mostMinor: parseMinor(env.ALIPAY_AGREEMENT_MOST),
    noticeMinutes: env.ALIPAY_AGREEMENT_NOTICE_MINUTES,
    ...(product === 'CYCLE_PAY_AUTH_P' ? { days: env.ALIPAY_AGREEMENT_DAYS } : {}),
  }
}

function nameError<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Error(`${name} ${(error as Error).message}`)
  }
}
