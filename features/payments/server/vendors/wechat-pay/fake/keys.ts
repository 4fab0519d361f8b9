import type { SentWebhook } from '#stand-ins/kit/webhooks.ts'
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { Aes, Formatter, Rsa } from 'wechatpay-axios-plugin'
import type { StandInReply, StandInRequest } from '#stand-ins/kit/server.ts'
import { createWechatPayCertificate } from './certificate.ts'

/**
 * WeChat Pay's side of the envelope. Signing, verification and encryption use another library than our side, so that the two verify each
 * other.
 */
export const MCHID = '1900000109'
export const APPID = 'wx8888888888888888'
export const MERCHANT_SERIAL = '3775B6A45ACD588826D15E583A95F5DD00000001'
const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export interface Signer {
  readonly serial: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly certificate: string
}

export interface WechatPayKeys {
  readonly merchant: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  /** Two possible signers: by public key id, or by the serial number of a certificate. */
  readonly signers: readonly [Signer, Signer]
  readonly stranger: KeyObject
  readonly apiV3Keys: readonly [string, string]
}

export function createWechatPayKeys(mode: 'public-key' | 'certificate', now: Date): WechatPayKeys {
  const signer = (at: number): Signer => {
    const { publicKey, privateKey } = pair()
    const serial = mode === 'public-key' ? `PUB_KEY_ID_011900000109202600${at}` : `5157F09EFDC096DE15EBE81A47057A720000000${at}`
    const day = 86_400_000
    const certificate =
      mode === 'certificate'
        ? createWechatPayCertificate({ publicKey, privateKey }, serial, new Date(now.getTime() - day), new Date(now.getTime() + 365 * day))
        : ''
    return { serial, publicKey, privateKey, certificate }
  }
  return {
    merchant: pair(),
    signers: [signer(1), signer(2)],
    stranger: pair().privateKey,
    apiV3Keys: [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')],
  }
}

const FIELD = /(\w+)="([^"]*)"/g

/** True for a request of our merchant: checks the scheme, merchant, time, and the signature over the bytes sent. */
export function isFromWechatPayMerchant(keys: WechatPayKeys, request: StandInRequest, now: Date): boolean {
  const { authorization = '' } = request.headers
  if (!authorization.startsWith('WECHATPAY2-SHA256-RSA2048 ')) return false
  const {
    mchid,
    nonce_str: nonceStr,
    signature,
    timestamp,
    serial_no: serialNo,
  } = Object.fromEntries([...authorization.matchAll(FIELD)].map(([, name, value]) => [name, value])) as Record<string, string>
  if (mchid !== MCHID || serialNo !== MERCHANT_SERIAL || !nonceStr || !signature || !timestamp) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > 300) return false
  return Rsa.verify(Formatter.request(request.method, request.url, timestamp, nonceStr, request.body), signature, keys.merchant.publicKey)
}

/** Headers of a message signed by WeChat Pay. */
export function signWechatPayHeaders(
  signer: Pick<Signer, 'serial' | 'privateKey'>,
  body: string,
  now: Date,
  over: { time?: number; key?: KeyObject } = {},
): Record<string, string> {
  const time = String(over.time ?? Math.floor(now.getTime() / 1000))
  const nonce = Formatter.nonce()
  return {
    'wechatpay-serial': signer.serial,
    'wechatpay-timestamp': time,
    'wechatpay-nonce': nonce,
    'wechatpay-signature': Rsa.sign(Formatter.response(time, nonce, body), over.key ?? signer.privateKey),
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
    'content-type': 'application/json',
  }
}

export function buildWechatPayReply(signer: Signer, status: number, value: unknown, now: Date, badly = false): StandInReply {
  const body = value === undefined ? '' : JSON.stringify(value)
  const headers = signWechatPayHeaders(signer, badly ? `${body} ` : body, now)
  return { status, headers, body }
}

export function sealWechatPayResource(apiV3Key: string, plain: string, about: string) {
  const nonce = Formatter.nonce(12)
  return { algorithm: 'AEAD_AES_256_GCM', ciphertext: Aes.AesGcm.encrypt(plain, apiV3Key, nonce, about), nonce, associated_data: about }
}

export interface FakeWechatPayNotice {
  readonly type: string
  readonly plain: Record<string, unknown>
}

/** Builds a notice, signed now. */
export function buildWechatPayWebhook(keys: WechatPayKeys, signer: Signer, apiV3Key: string, { type, plain }: FakeWechatPayNotice, now: Date): SentWebhook {
  const body = JSON.stringify({
    id: createHash('sha256').update(randomBytes(16)).digest('hex').slice(0, 32),
    create_time: now.toISOString(),
    resource_type: 'encrypt-resource',
    event_type: type,
    summary: '支付成功',
    resource: { original_type: 'transaction', ...sealWechatPayResource(apiV3Key, JSON.stringify(plain), 'transaction') },
  })
  return { headers: signWechatPayHeaders(signer, body, now), body: Buffer.from(body) }
}
