import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import type { PlatformConfig, SettingProblem } from '../config.ts'

const resolveKeyFile = (dataDir: string): string => join(dataDir, 'secret.key')

/** Production does not generate a key: each process would have a different one. */
export function findMissingSecretKey({ SECRET_KEY, STAGE, DATA_DIR = '.' }: Partial<PlatformConfig>): SettingProblem[] {
  if (SECRET_KEY || STAGE !== 'production' || existsSync(resolveKeyFile(DATA_DIR))) return []
  return [{ setting: 'SECRET_KEY', problem: '32 random bytes, base64, the same for every process: openssl rand -base64 32' }]
}

/**
 * Loads the installation's keys, the current one first, from the environment or a file beside the data that is generated once. Commands
 * read the server's keys. The other keys unseal and verify data from before a rotation (docs/runbooks/secret-key.md).
 */
export function loadInstallationKeys(
  config: Pick<PlatformConfig, 'SECRET_KEY' | 'SECRET_KEYS_OTHER' | 'STAGE'>,
  dataDir: string,
): readonly [Buffer, ...Buffer[]] {
  const file = resolveKeyFile(dataDir)
  const missing = findMissingSecretKey({ ...config, DATA_DIR: dataDir })
  if (missing.length) throw new ConfigError(missing)
  if (!config.SECRET_KEY && !existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  const current = parseInstallationKey('SECRET_KEY', config.SECRET_KEY ?? readFileSync(file, 'utf8'))
  const others = config.SECRET_KEYS_OTHER.map((text) => parseInstallationKey('each of SECRET_KEYS_OTHER', text)).filter((key) => !key.equals(current))
  return [current, ...others]
}

function parseInstallationKey(name: string, text: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length < 32) throw new Error(`${name} must be at least 32 bytes, base64`)
  return Buffer.from(hkdfSync('sha256', key, createHash('sha256').update('mingxi').digest(), 'installation', 32))
}
