import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { createRandomCode } from '#platform/shared/ids.ts'

/** Authenticator codes and the recovery codes that replace them, for operators and customers alike. */

const PERIOD = 30
const createTotp = (secret: string, issuer = '', label = 'code') =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: PERIOD, secret: Secret.fromBase32(secret) })

/** 160 bits, in the base-32 form that authenticators read. */
export const createTotpSecret = (): string => new Secret({ size: 20 }).base32

/** The otpauth: URI that an authenticator app scans from a QR code. */
export const buildTotpUri = (issuer: string, label: string, secret: string): string => createTotp(secret, issuer, label).toString()

/**
 * Returns the code's counter, at most one step from now; undefined for a wrong code. Callers store the counter, so that a code works only
 * once.
 */
export function findTotpCounter(secret: string, code: string, now: Date): number | undefined {
  const delta = createTotp(secret).validate({ token: code, timestamp: now.getTime(), window: 1 })
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD) + delta
}

/** Returns the code that an authenticator shows now; for tests and builders. */
export const generateTotp = (secret: string, now: Date): string => createTotp(secret).generate({ timestamp: now.getTime() })

/** Ten codes of 50 bits, each valid once. */
export const createRecoveryCodes = (): string[] => Array.from({ length: 10 }, () => `${createRandomCode(5)}-${createRandomCode(5)}`)
export const hashRecoveryCode = (code: string): Buffer => createHash('sha256').update(code.trim().toUpperCase().replaceAll(/[\s-]/g, '')).digest()
