import { createPrivateKey, createPublicKey, createSign, createVerify, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** Parses RSA keys as operators paste them: PEM, PEM on one line with escaped \n, or bare base64 as some vendors issue it. */
export function parsePrivateKey(text: string): KeyObject {
  return requireRsa(readKey(text, (key) => createPrivateKey(key), ['pkcs8', 'pkcs1']))
}

/** Parses a public key, or takes it from a certificate. */
export function parsePublicKey(text: string): KeyObject {
  return requireRsa(readKey(text, (key) => createPublicKey(key), ['spki', 'pkcs1']))
}

/** Signs with RSASSA-PKCS1-v1_5 and SHA-256; returns base64. */
export function signRsa(key: KeyObject, text: string): string {
  return createSign('RSA-SHA256').update(text, 'utf8').sign(key, 'base64')
}

/** True if `signature` (base64) matches `data`; false, never an error, for malformed input. */
export function verifyRsa(key: KeyObject, data: string | Buffer, signature: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(signature)) return false
  return createVerify('RSA-SHA256').update(data).verify(key, signature, 'base64')
}

/** Compares secrets in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)]
  return one.length === other.length && timingSafeEqual(one, other)
}

type Encoding = 'pkcs8' | 'pkcs1' | 'spki'

/** The error names the problem and never contains a part of the key. */
function readKey<F extends Encoding>(
  text: string,
  read: (key: string | { key: Buffer; format: 'der'; type: F }) => KeyObject,
  encodings: readonly F[],
): KeyObject {
  const plain = text.replaceAll('\\n', '\n').trim()
  if (plain.startsWith('-----BEGIN')) {
    try {
      return read(plain)
    } catch {
      throw new Error('is not a readable PEM key')
    }
  }
  const bytes = plain.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]{100,}={0,2}$/.test(bytes)) throw new Error('is neither PEM nor base64')
  for (const type of encodings) {
    try {
      return read({ key: Buffer.from(bytes, 'base64'), format: 'der', type })
    } catch {
      continue
    }
  }
  throw new Error('is not a readable key')
}

function requireRsa(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048) throw new Error('must be an RSA key of 2048 bits or more')
  return key
}
