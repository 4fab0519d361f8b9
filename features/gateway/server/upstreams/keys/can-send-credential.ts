import { readNamedSecret } from '#platform/server/config.ts'
import type { UpstreamRow } from '../data.ts'
import { vendors } from '../../vendors/index.ts'

const SANDBOX_KEY = 'SANDBOX_UPSTREAM_KEY'

/**
 * True if an environment variable may be sent to an upstream's address. `UPSTREAM_*` are intended for upstreams. A vendor's own key may
 * only be sent to that vendor's addresses: its public one and the one that the environment names. Keys of other parts of the product are
 * never sent.
 */
export function canSendCredential({ vendor: id, baseUrl: url, credentialEnv: name }: Pick<UpstreamRow, 'vendor' | 'baseUrl' | 'credentialEnv'>): boolean {
  if (name.startsWith('UPSTREAM_') || name === SANDBOX_KEY) return true
  const vendor = vendors.find((each) => each.id === id)
  if (vendor?.env.key !== name) return false
  const own = [vendor.baseUrl, readNamedSecret(vendor.env.baseUrl)]
  return own.some((each) => each !== undefined && URL.canParse(each) && new URL(each).origin === new URL(url).origin)
}
