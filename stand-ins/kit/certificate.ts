import { createSign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const bytes = (...parts: readonly (Buffer | number)[]) => Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)))

function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const size = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return bytes(tag, Buffer.from(size), body)
}

const sequence = (...content: readonly Buffer[]) => der(0x30, ...content)
/** sha256WithRSAEncryption, and the attribute `commonName`. */
const ALGORITHM = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'))
const encodeName = (common: string) => sequence(der(0x31, sequence(Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from(common)))))
const encodeTime = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/[-:T]/g, '')}Z`))

export interface CertificateFacts {
  readonly commonName: string
  /** Hexadecimal. */
  readonly serial: string
  readonly from: Date
  readonly until: Date
}

/** Builds a version 1 certificate (RFC 5280, 4.1) as PEM, signed by its own key. */
export function createSelfSignedCertificate(
  keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject },
  { commonName, serial, from, until }: CertificateFacts,
): string {
  const name = encodeName(commonName)
  const body = sequence(
    der(0x02, Buffer.from(serial, 'hex')),
    ALGORITHM,
    name,
    sequence(encodeTime(from), encodeTime(until)),
    name,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = createSign('RSA-SHA256').update(body).sign(keys.privateKey)
  const whole = sequence(body, ALGORITHM, der(0x03, bytes(0, signature)))
  return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}
