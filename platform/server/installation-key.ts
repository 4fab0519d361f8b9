import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlatformConfig } from './config.ts'

/** The installation's key: from the environment, or made once and kept beside the data. Commands read the one of the server. */
export function installationKey(config: Pick<PlatformConfig, 'SECRET_KEY' | 'STAGE'>, dataDir: string): Buffer {
  const file = join(dataDir, 'secret.key')
  if (!config.SECRET_KEY && config.STAGE === 'production' && !existsSync(file)) throw new Error('SECRET_KEY is needed in production: 32 random bytes, base64')
  if (!config.SECRET_KEY && !existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  const text = config.SECRET_KEY ?? readFileSync(file, 'utf8')
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length < 32) throw new Error('SECRET_KEY must be at least 32 bytes, base64')
  return Buffer.from(hkdfSync('sha256', key, createHash('sha256').update('mingxi').digest(), 'installation', 32))
}
