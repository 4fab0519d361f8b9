import type { Deps, SealedColumn } from '#platform/server/feature.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'
import type { Environment } from '../environment.ts'
import { findCredential } from '../environment.ts'
import type { KeyedUpstreamRow } from '../data.ts'
import { canSendCredential } from './can-send-credential.ts'

const PURPOSE = 'gateway.upstream-key'

/** Sealed columns that `npm run secrets:reseal` re-encrypts. */
export const sealedUpstreamKeyColumns: readonly SealedColumn[] = [
  { table: 'gateway_upstream_keys', column: 'sealed', id: 'key_id', owner: 'key_id', purpose: PURPOSE },
]

export const sealUpstreamKey = (secretKey: Buffer, keyId: string, key: string): Buffer => seal(secretKey, PURPOSE, { owner: keyId, text: key })

/** Last four characters of a key for display; empty if the key is too short to mask. */
export const getLast4 = (key: string): string => (key.length >= 12 ? key.slice(-4) : '')

/**
 * Credential of an upstream: the key that an operator stored, else the environment variable that its row names. A stored key that
 * cannot be unsealed counts as missing: the environment's key would belong to another account.
 */
export function resolveCredential(
  env: Environment,
  secretKeys: Deps['secretKeys'],
  row: Pick<KeyedUpstreamRow, 'vendor' | 'baseUrl' | 'credentialEnv' | 'keyId' | 'keySealed'>,
): string | undefined {
  if (row.keyId === null || row.keySealed === null) return canSendCredential(row) ? findCredential(env, row.credentialEnv) : undefined
  try {
    return unseal(secretKeys, PURPOSE, { owner: row.keyId, sealed: row.keySealed })
  } catch {
    return undefined
  }
}
