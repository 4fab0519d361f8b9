import { createHash, randomBytes } from 'node:crypto'

/** Creates a secret, of which only the hash is stored. The prefix is its kind: session, API token or invitation. */
export const createOperatorSecret = (kind: 'ops' | 'opt' | 'opi') => `${kind}_${randomBytes(32).toString('base64url')}`
export const hashOperatorSecret = (secret: string) => createHash('sha256').update(secret).digest()

/** Purpose of the sealed TOTP secrets. */
export const OPERATOR_TOTP_PURPOSE = 'backoffice.totp'
