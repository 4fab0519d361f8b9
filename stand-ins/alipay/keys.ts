import { createSign, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** Alipay's side of RSA2, implemented from its specification instead of its SDK, so that the two sides verify each other. */
export const APP_ID = '2021000118660001'
export const SELLER_ID = '2088102146225135'
export const createAlipayKeyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export interface AlipayKeys {
  readonly app: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  /** Alipay's two key pairs. */
  readonly signers: readonly [
    { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
    { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  ]
  readonly stranger: KeyObject
}
export const createAlipayKeys = (): AlipayKeys => ({
  app: createAlipayKeyPair(),
  signers: [createAlipayKeyPair(), createAlipayKeyPair()],
  stranger: createAlipayKeyPair().privateKey,
})

/** Names in ascending order, joined after decoding. */
export function joinAlipayFields(fields: Readonly<Record<string, string>>, without: readonly string[]): string {
  return Object.keys(fields)
    .filter((name) => !without.includes(name))
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
}

export const signAlipayText = (key: KeyObject, text: string, algorithm = 'RSA-SHA256') => createSign(algorithm).update(text, 'utf8').sign(key, 'base64')

/** Alipay's times are those of Shanghai: `2026-11-21 12:00:00`. */
export const formatShanghai = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

export function encodeAlipayForm(fields: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(new URLSearchParams(fields).toString())
}

export const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
