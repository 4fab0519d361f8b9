import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { randomCode } from '#platform/shared/ids.ts'

/** Kept as hashes only. A token tells by its beginning what it is: of a session, of a script, of an invitation. */
export const newToken = (kind: 'ops' | 'opt' | 'opi') => `${kind}_${randomBytes(32).toString('base64url')}`
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/** Under which the authenticators' secrets are sealed. */
export const TOTP_PURPOSE = 'backoffice.totp'

const PERIOD = 30
const totp = (secret: string) =>
  new TOTP({ issuer: 'Mingxi', label: 'operator', algorithm: 'SHA1', digits: 6, period: PERIOD, secret: Secret.fromBase32(secret) })

/** What an authenticator's app reads from a picture. */
export const totpUri = (issuer: string, label: string, secret: string) =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: PERIOD, secret: Secret.fromBase32(secret) }).toString()

/** The counter that the code belongs to, at most one step from now; undefined for a wrong code. */
export function counterOf(secret: string, code: string, now: Date): number | undefined {
  const delta = totp(secret).validate({ token: code, timestamp: now.getTime(), window: 1 })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD) + delta
}

/** What an authenticator shows; for tests and builders. */
export const totpNow = (secret: string, now: Date) => totp(secret).generate({ timestamp: now.getTime() })

/** Ten codes of 50 bits, each good once. */
export const newRecoveryCodes = (): string[] => Array.from({ length: 10 }, () => `${randomCode(5)}-${randomCode(5)}`)
export const recoveryHash = (code: string) => hashOf(code.trim().toUpperCase().replaceAll(/[\s-]/g, ''))
