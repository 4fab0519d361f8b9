import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { parsePrivateKey, parsePublicKey } from '#platform/server/sealing/sign.ts'
import type { ChannelConfig } from '../port.ts'

export const wechatPayEnv = {
  WECHAT_PAY_MCHID: z
    .string()
    .regex(/^\d{8,10}$/)
    .optional(),
  WECHAT_PAY_APPID: z
    .string()
    .regex(/^wx[0-9a-z]{16}$/i)
    .optional(),
  /** Serial number of the merchant's API certificate; it goes with the private key. */
  WECHAT_PAY_SERIAL: z
    .string()
    .regex(/^[0-9A-F]{16,64}$/i)
    .optional(),
  WECHAT_PAY_PRIVATE_KEY: z.string().optional(),
  /** 32 characters; comma-separated during rotation, the newest first. */
  WECHAT_PAY_API_V3_KEY: z.string().optional(),
  /** `PUB_KEY_ID_…=base64`, comma-separated. Without one the platform's certificates are fetched. */
  WECHAT_PAY_PUBLIC_KEYS: z.string().optional(),
  /** Fetches certificates in addition to the public keys; needed only while a merchant migrates from one to the other. */
  WECHAT_PAY_CERTIFICATES: z.enum(['on', 'off']).optional(),
  WECHAT_PAY_METHODS: z
    .string()
    .regex(/^(native|h5)(,(native|h5))?$/)
    .default('native,h5'),
  WECHAT_PAY_BASE_URL: z.url().default('https://api.mch.weixin.qq.com'),
} as const

/** A merchant's account at WeChat Pay. */
export interface WechatPayAccount {
  readonly mchid: string
  readonly appid: string
  readonly serial: string
  readonly privateKey: KeyObject
  readonly apiV3Keys: readonly string[]
  /** Public keys by PUB_KEY_ID. */
  readonly publicKeys: ReadonlyMap<string, KeyObject>
  readonly certificates: boolean
  readonly methods: readonly string[]
  readonly baseUrl: string
}

export function readWechatPayAccount(config: ChannelConfig): WechatPayAccount | undefined {
  const env = z.object(wechatPayEnv).parse(Object.fromEntries(Object.keys(wechatPayEnv).map((name) => [name, config[name]])))
  const needed = {
    WECHAT_PAY_MCHID: env.WECHAT_PAY_MCHID,
    WECHAT_PAY_APPID: env.WECHAT_PAY_APPID,
    WECHAT_PAY_SERIAL: env.WECHAT_PAY_SERIAL,
    WECHAT_PAY_PRIVATE_KEY: env.WECHAT_PAY_PRIVATE_KEY,
    WECHAT_PAY_API_V3_KEY: env.WECHAT_PAY_API_V3_KEY,
  }
  const missing = Object.entries(needed).flatMap(([name, value]) => (value ? [] : [name]))
  if (missing.length === Object.keys(needed).length) return undefined
  if (missing.length) throw new Error(`WeChat Pay also needs ${missing.join(', ')}`)
  const apiV3Keys = needed.WECHAT_PAY_API_V3_KEY!.split(',').map((key) => key.trim())
  if (apiV3Keys.some((key) => Buffer.byteLength(key) !== 32)) throw new Error('WECHAT_PAY_API_V3_KEY must be 32 characters')
  const publicKeys = new Map(splitList(env.WECHAT_PAY_PUBLIC_KEYS).map(readPublicKey))
  return {
    mchid: needed.WECHAT_PAY_MCHID!,
    appid: needed.WECHAT_PAY_APPID!,
    serial: needed.WECHAT_PAY_SERIAL!.toUpperCase(),
    privateKey: nameError('WECHAT_PAY_PRIVATE_KEY', () => parsePrivateKey(needed.WECHAT_PAY_PRIVATE_KEY!)),
    apiV3Keys,
    publicKeys,
    certificates: env.WECHAT_PAY_CERTIFICATES ? env.WECHAT_PAY_CERTIFICATES === 'on' : publicKeys.size === 0,
    methods: env.WECHAT_PAY_METHODS.split(','),
    baseUrl: env.WECHAT_PAY_BASE_URL.replace(/\/$/, ''),
  }
}

const splitList = (text: string | undefined) =>
  text
    ? text
        .split(',')
        .map((part) => part.trim())
        .filter(Boolean)
    : []

function readPublicKey(entry: string): [string, KeyObject] {
  const at = entry.indexOf('=')
  const id = entry.slice(0, at)
  if (!/^PUB_KEY_ID_\w{10,80}$/.test(id)) throw new Error('WECHAT_PAY_PUBLIC_KEYS must be PUB_KEY_ID_…=key, with commas')
  return [id, nameError('WECHAT_PAY_PUBLIC_KEYS', () => parsePublicKey(entry.slice(at + 1)))]
}

function nameError<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Error(`${name} ${(error as Error).message}`)
  }
}
