import { createHash, randomBytes } from 'node:crypto'

/** Kept as hashes only. A token tells by its beginning what it is: of a session, of a script, of an invitation. */
export const createOperatorSecret = (kind: 'ops' | 'opt' | 'opi') => `${kind}_${randomBytes(32).toString('base64url')}`
export const hashOperatorSecret = (secret: string) => createHash('sha256').update(secret).digest()

/** Under which the authenticators' secrets are sealed. */
export const OPERATOR_TOTP_PURPOSE = 'backoffice.totp'
