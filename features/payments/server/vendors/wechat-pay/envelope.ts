import { createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { signRsa, verifyRsa } from '#platform/server/sealing/sign.ts'
import type { WechatPayAccount } from './config.ts'

/**
 * The envelope of API v3. Requests: https://pay.weixin.qq.com/wiki/doc/apiv3/wechatpay/wechatpay4_0.shtml · answers and
 * notices: https://pay.weixin.qq.com/wiki/doc/apiv3/wechatpay/wechatpay4_1.shtml · encrypted parts: wechatpay4_2.shtml
 */
const SCHEME = 'WECHATPAY2-SHA256-RSA2048'
const WINDOW_SECONDS = 300
const TAG_BYTES = 16
/** Prefix of probes that the vendor sends with an intentionally wrong signature, to test our verification. */
const PROBE_PREFIX = 'WECHATPAY/SIGNTEST/'

/** Returns the public key of a serial number; undefined for an untrusted serial. */
export type PlatformKeyLookup = (serial: string) => Promise<KeyObject | undefined>
export interface SignedMessage {
  readonly header: (name: string) => string
  readonly body: Buffer
}

/** The Authorization header of a request; `path` with its query, exactly as sent. */
export function buildWechatPayAuthorization(
  account: WechatPayAccount,
  now: Date,
  {
    method,
    path,
    body,
    nonce = randomBytes(16).toString('hex'),
  }: { readonly method: string; readonly path: string; readonly body: string; readonly nonce?: string },
): string {
  const time = Math.floor(now.getTime() / 1000)
  const signature = signRsa(account.privateKey, `${method}\n${path}\n${time}\n${nonce}\n${body}\n`)
  return `${SCHEME} mchid="${account.mchid}",nonce_str="${nonce}",signature="${signature}",timestamp="${time}",serial_no="${account.serial}"`
}

/** True only for unmodified bytes that the platform signed within five minutes of now. */
export async function isSignedByWechatPay(keyOf: PlatformKeyLookup, now: Date, { header, body }: SignedMessage): Promise<boolean> {
  const [serial, time, nonce, signature] = ['serial', 'timestamp', 'nonce', 'signature'].map((name) => header(`wechatpay-${name}`)) as [
    string,
    string,
    string,
    string,
  ]
  if (!serial || !nonce || !signature || signature.startsWith(PROBE_PREFIX)) return false
  if (!/^\d{1,12}$/.test(time) || Math.abs(now.getTime() / 1000 - Number(time)) > WINDOW_SECONDS) return false
  const type = header('wechatpay-signature-type')
  if (type && type !== SCHEME) return false
  const key = await keyOf(serial)
  return key !== undefined && verifyRsa(key, Buffer.concat([Buffer.from(`${time}\n${nonce}\n`), body, Buffer.from('\n')]), signature)
}

export interface SealedResource {
  readonly algorithm: string
  readonly ciphertext: string
  readonly nonce: string
  readonly associated_data?: string | undefined
}

/** Decrypts an AES-256-GCM payload; undefined if none of our keys decrypts it. */
export function unsealWechatPayResource(keys: readonly string[], sealed: SealedResource): Buffer | undefined {
  if (sealed.algorithm !== 'AEAD_AES_256_GCM' || Buffer.byteLength(sealed.nonce) !== 12) return undefined
  const bytes = Buffer.from(sealed.ciphertext, 'base64')
  if (bytes.length <= TAG_BYTES) return undefined
  for (const key of keys) {
    try {
      const opener = createDecipheriv('aes-256-gcm', key, sealed.nonce, { authTagLength: TAG_BYTES })
      opener.setAAD(Buffer.from(sealed.associated_data ?? ''))
      opener.setAuthTag(bytes.subarray(-TAG_BYTES))
      return Buffer.concat([opener.update(bytes.subarray(0, -TAG_BYTES)), opener.final()])
    } catch {
      continue
    }
  }
  return undefined
}
