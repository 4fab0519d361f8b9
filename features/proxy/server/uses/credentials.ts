import { createHash } from 'node:crypto'
import { createRandomCode } from '#platform/shared/ids.ts'

/** 100 random bits: too many to guess, so a plain hash is enough. */
export const generateProxyPassword = (): string => createRandomCode(20).toLowerCase()

export const hashProxyPassword = (password: string): Buffer => createHash('sha256').update(`proxy:${password}`).digest()

/** Username at the proxy: stable, and without information about the account. */
export const buildProxyUsername = (purpose: string, owner: string): string =>
  `${{ proxy: 'px', remote: 'rb', browser: 'ab' }[purpose] ?? 'px'}${createHash('sha256').update(`proxy-name:${purpose}:${owner}`).digest('hex').slice(0, 10)}`

/** Purpose of the sealed passwords. */
export const PROXY_PASSWORD_PURPOSE = 'proxy.password'
