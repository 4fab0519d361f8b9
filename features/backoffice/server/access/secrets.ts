import { createHash, randomBytes } from 'node:crypto'

/** Kept as hashes only. A token tells by its beginning what it is: of a session, of a script, of an invitation. */
export const newToken = (kind: 'ops' | 'opt' | 'opi') => `${kind}_${randomBytes(32).toString('base64url')}`
export const hashOf = (secret: string) => createHash('sha256').update(secret).digest()

/** Under which the authenticators' secrets are sealed. */
export const TOTP_PURPOSE = 'backoffice.totp'
