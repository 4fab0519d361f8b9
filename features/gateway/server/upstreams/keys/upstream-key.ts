import type { Deps, SealedColumn } from '#platform/server/feature.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'
import type { Environment } from '../environment.ts'
import { secretOf } from '../environment.ts'
import type { ServedRow } from '../data.ts'
import { mayCarry } from './may-carry.ts'

const PURPOSE = 'gateway.upstream-key'

/** What `npm run secrets:reseal` renews. */
export const upstreamKeysSealed: readonly SealedColumn[] = [
  { table: 'gateway_upstream_keys', column: 'sealed', id: 'key_id', owner: 'key_id', purpose: PURPOSE },
]

export const sealKey = (secretKey: Buffer, keyId: string, key: string): Buffer => seal(secretKey, PURPOSE, keyId, key)

/** All that is shown of a key: too short a one shows nothing. */
export const last4Of = (key: string): string => (key.length >= 12 ? key.slice(-4) : '')

/**
 * What an upstream is asked with: the key that an operator handed in, else the one that its row names in the environment. A key that
 * cannot be opened is none: the environment's would be somebody else's.
 */
export function credentialOf(
  env: Environment,
  secretKeys: Deps['secretKeys'],
  row: Pick<ServedRow, 'vendor' | 'base_url' | 'credential_env' | 'key_id' | 'key_sealed'>,
): string | undefined {
  if (row.key_id === null || row.key_sealed === null) return mayCarry(row) ? secretOf(env, row.credential_env) : undefined
  try {
    return unseal(secretKeys, PURPOSE, row.key_id, row.key_sealed)
  } catch {
    return undefined
  }
}
