import { createHash } from 'node:crypto'
import { randomCode } from '#platform/shared/ids.ts'

/** 100 random bits: nothing is guessed, so a plain hash keeps it. */
export const newPassword = (): string => randomCode(20).toLowerCase()

export const passwordHash = (password: string): Buffer => createHash('sha256').update(`proxy:${password}`).digest()

/** A user's name at the proxy: always the same, and nothing of the account in it. */
export const usernameOf = (purpose: string, owner: string): string =>
  `${{ proxy: 'px', remote: 'rb', browser: 'ab' }[purpose] ?? 'px'}${createHash('sha256').update(`proxy-name:${purpose}:${owner}`).digest('hex').slice(0, 10)}`

/** What is sealed, and under which name. */
export const SEALED_FOR = 'proxy.password'
