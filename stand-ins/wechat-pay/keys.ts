import type { SentWebhook } from '../kit/webhooks.ts'
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { Aes, Formatter, Rsa } from 'wechatpay-axios-plugin'
import type { StandInReply, StandInRequest } from '../kit/server.ts'
import { createSelfSignedCertificate } from '../kit/certificate.ts'
import { WECHAT_PAY_FIGURES } from './rules.ts'

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
        ? createSelfSignedCertificate(
            { publicKey, privateKey },
            { commonName: 'Tenpay.com sign', serial, from: new Date(now.getTime() - day), until: new Date(now.getTime() + 365 * day) },
          )
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

/**
 * Status and code of a request that is refused before its endpoint: missing headers, then the signature over method, address with query,
 * time, nonce and body, each with a line feed. https://pay.weixin.qq.com/wiki/doc/apiv3/wechatpay/wechatpay4_0.shtml
 */
export function refuseWechatPayHeaders(keys: WechatPayKeys, request: StandInRequest, now: Date): [number, { code: string; message: string }] | undefined {
  const { authorization = '', accept = '', 'user-agent': agent = '', 'content-type': type = '' } = request.headers
  if (!/application\/json|\*\/\*/.test(accept) || !agent) return [400, { code: 'PARAM_ERROR', message: 'the header Accept or User-Agent is missing' }]
  if (request.method === 'POST' && !type.startsWith('application/json')) return [400, { code: 'PARAM_ERROR', message: 'the body must be application/json' }]
  return isSignedByMerchant(keys, request, { authorization, now }) ? undefined : [401, { code: 'SIGN_ERROR', message: 'the signature is wrong' }]
}

function isSignedByMerchant(
  keys: WechatPayKeys,
  request: StandInRequest,
  { authorization, now }: { readonly authorization: string; readonly now: Date },
): boolean {
  if (!authorization.startsWith('WECHATPAY2-SHA256-RSA2048 ')) return false
  const {
    mchid,
    nonce_str: nonceStr,
    signature,
    timestamp,
    serial_no: serialNo,
  } = Object.fromEntries([...authorization.matchAll(FIELD)].map(([, name, value]) => [name, value])) as Record<string, string>
  if (mchid !== MCHID || serialNo !== MERCHANT_SERIAL || !nonceStr || nonceStr.length > 32 || !signature || !timestamp) return false
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > WECHAT_PAY_FIGURES.signatureSeconds.value) return false
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

export interface StoredWechatPayNotice {
  /** The same for all tries of a notice. */
  readonly id?: string
  readonly type: string
  readonly plain: Record<string, unknown>
}

/** A notice before it is signed. Its content is sealed under the type that it has. */
export function buildWechatPayNotice(apiV3Key: string, { id, type, plain }: StoredWechatPayNotice, now: Date): object {
  const kind = type.startsWith('REFUND.') ? 'refund' : 'transaction'
  return {
    id: id ?? createNoticeId(),
    create_time: formatWechatPayTime(now),
    resource_type: 'encrypt-resource',
    event_type: type,
    summary: kind === 'refund' ? '退款成功' : '支付成功',
    resource: { original_type: kind, ...sealWechatPayResource(apiV3Key, JSON.stringify(plain), kind) },
  }
}
export const createNoticeId = () => createHash('sha256').update(randomBytes(16)).digest('hex').slice(0, 32)
/** RFC 3339 with the offset of Shanghai. */
export const formatWechatPayTime = (at: Date) => `${new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`

/** Builds a notice, signed now. */
export function buildWechatPayWebhook(signer: Signer, apiV3Key: string, about: StoredWechatPayNotice, now: Date): SentWebhook {
  const body = JSON.stringify(buildWechatPayNotice(apiV3Key, about, now))
  return { headers: signWechatPayHeaders(signer, body, now), body: Buffer.from(body) }
}
