import { createSign, createVerify, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** Alipay's side of RSA2, implemented from its specification instead of its SDK, so that the two sides verify each other. */
export const APP_ID = '2021000118660001'
export const SELLER_ID = '2088102146225135'
const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

export interface AlipayKeys {
  readonly app: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  /** Alipay's two key pairs. */
  readonly signers: readonly [
    { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
    { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  ]
  readonly stranger: KeyObject
}
export const createAlipayKeys = (): AlipayKeys => ({ app: pair(), signers: [pair(), pair()], stranger: pair().privateKey })

/** Names in ascending order, joined after decoding. */
export function joinAlipayFields(fields: Readonly<Record<string, string>>, without: readonly string[]): string {
  return Object.keys(fields)
    .filter((name) => !without.includes(name))
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
}

export const signAlipayText = (key: KeyObject, text: string, algorithm = 'RSA-SHA256') => createSign(algorithm).update(text, 'utf8').sign(key, 'base64')

/** A request signs everything but `sign`; a notice also omits `sign_type`. */
export function isFromAlipayMerchant(keys: AlipayKeys, fields: Readonly<Record<string, string>>): boolean {
  if (fields['app_id'] !== APP_ID || fields['sign_type'] !== 'RSA2' || fields['charset'] !== 'utf-8') return false
  return createVerify('RSA-SHA256')
    .update(joinAlipayFields(fields, ['sign']), 'utf8')
    .verify(keys.app.publicKey, fields['sign'] ?? '', 'base64')
}

export function encodeAlipayForm(fields: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(new URLSearchParams(fields).toString())
}

export const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
