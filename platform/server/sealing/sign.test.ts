import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { parsePrivateKey, parsePublicKey, signRsa, verifyRsa, isSameSecret } from './sign.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const signature = signRsa(privateKey, '充值')

test('a key is read in each form that vendors hand it over in', () => {
  const pem = (type: 'pkcs1' | 'pkcs8') => privateKey.export({ type, format: 'pem' }) as string
  const der = (type: 'pkcs1' | 'pkcs8') => (privateKey.export({ type, format: 'der' }) as Buffer).toString('base64')
  const folded = (text: string) => text.replace(/.{64}/g, '$&\n')
  for (const text of [pem('pkcs1'), pem('pkcs8'), der('pkcs1'), der('pkcs8'), folded(der('pkcs8')), pem('pkcs8').replaceAll('\n', '\\n')])
    expect(signRsa(parsePrivateKey(text), '充值')).toBe(signature)
  const spki = (publicKey.export({ type: 'spki', format: 'der' }) as Buffer).toString('base64')
  for (const text of [
    publicKey.export({ type: 'spki', format: 'pem' }) as string,
    publicKey.export({ type: 'pkcs1', format: 'pem' }) as string,
    spki,
    folded(spki),
  ])
    expect(verifyRsa(parsePublicKey(text), '充值', signature)).toBe(true)
})

test('an invalid key is refused, and the error does not contain it', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const broken = `-----BEGIN PRIVATE KEY-----\n${'c2VjcmV0'.repeat(20)}\n-----END PRIVATE KEY-----`
  for (const text of ['', 'secret', 'c2VjcmV0'.repeat(40), broken, ec, short]) {
    const read = () => parsePrivateKey(text)
    expect(read).toThrow(/^(is|must)/)
    try {
      read()
    } catch (error) {
      if (text) expect((error as Error).message).not.toContain(text.slice(0, 12))
      expect((error as Error).cause).toBeUndefined()
    }
  }
})

test('verifying garbage is false and never an error', () => {
  for (const given of ['', 'x', '====', signature.slice(1), signature.replace('/', '_'), `${signature}=`, 'A'.repeat(344)])
    expect(verifyRsa(publicKey, '充值', given)).toBe(given === signature)
  expect([isSameSecret('a', 'a'), isSameSecret('a', 'b'), isSameSecret('a', 'aa'), isSameSecret('', '')]).toEqual([true, false, false, true])
})
