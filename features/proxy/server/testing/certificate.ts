import { createSign, generateKeyPairSync } from 'node:crypto'

function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.of(tag, ...size), body])
}
const sequence = (...content: readonly Buffer[]) => der(0x30, ...content)
/** Constants: ecdsa-with-SHA256, and a name with the single attribute `commonName`. */
const ALGORITHM = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))
const NAME = sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('localhost')))))
const time = (at: number) => der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`))
const DAY_MS = 86_400_000

/** An untrusted version 1 certificate (RFC 5280, 4.1) for `localhost` and its key, both in PEM. */
export function aProxyCertificate(): { readonly cert: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const valid = sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS))
  const body = sequence(der(0x02, Buffer.of(1)), ALGORITHM, NAME, valid, NAME, publicKey.export({ type: 'spki', format: 'der' }))
  const signature = createSign('sha256').update(body).sign(privateKey)
  const whole = sequence(body, ALGORITHM, der(0x03, Buffer.of(0), signature))
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}
