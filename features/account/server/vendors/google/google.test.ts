import { generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { openGoogle } from './index.ts'

const NOW = new Date('2026-11-21T00:00:00Z')
const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true })
const secret = new TextEncoder().encode('a shared secret of at least thirty-two bytes')

async function verifyPerson(alg: string, key: CryptoKey | Uint8Array) {
  const iat = NOW.getTime() / 1000
  const vendor = openGoogle({
    clientId: 'client-1',
    sandbox: false,
    issuers: ['https://accounts.google.com', 'accounts.google.com'],
    authorizePage: 'https://accounts.google.com/o/oauth2/v2/auth',
    // a key set that would return any key for any algorithm
    keys: async () =>
      alg.startsWith('HS')
        ? secret
        : alg === 'PS256'
          ? crypto.subtle.importKey('spki', await crypto.subtle.exportKey('spki', publicKey), { name: 'RSA-PSS', hash: 'SHA-256' }, false, ['verify'])
          : publicKey,
    readAccessToken: async () => undefined,
    now: () => NOW,
  })
  const idToken = await new SignJWT({ email: 'a@gmail.example', email_verified: true, nonce: 'n' })
    .setProtectedHeader({ alg })
    .setIssuer('accounts.google.com')
    .setAudience('client-1')
    .setSubject('1')
    .setIssuedAt(iat)
    .setExpirationTime(iat + 60)
    .sign(key)
  return vendor.personOf({ idToken, accessToken: undefined, nonce: 'n' })
}

test('only RS256 is accepted, whatever the key set allows; an issuer without https is valid', async () => {
  expect(await verifyPerson('RS256', privateKey)).toEqual({ subject: '1', email: 'a@gmail.example', emailVerified: true, name: '' })
  expect(await verifyPerson('HS256', secret)).toBeUndefined()
  const pss = await crypto.subtle.importKey('pkcs8', await crypto.subtle.exportKey('pkcs8', privateKey), { name: 'RSA-PSS', hash: 'SHA-256' }, false, ['sign'])
  expect(await verifyPerson('PS256', pss)).toBeUndefined()
})
