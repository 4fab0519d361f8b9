import type { RawRoute } from '#platform/server/feature.ts'
import { channelByName } from './vendors/index.ts'

/** A method's picture, from its channel's manifest: `/pay/icons/sandbox-1.svg`. */
export const showIcon: RawRoute['handle'] = async (deps, request) => {
  const [, name, type] = /^([a-z0-9-]+)-(\d)\.svg$/.exec(request.params['file'] ?? '') ?? []
  const method = channelByName(deps.config, name ?? '')?.manifest.methods.find((each) => each.transactionType === Number(type))
  if (!method) return { status: 404, type: 'text/plain', body: 'no such icon' }
  return {
    status: 200,
    type: 'image/svg+xml',
    body: method.icon,
    headers: { 'cache-control': 'public, max-age=86400', 'content-security-policy': `default-src 'none'`, 'x-content-type-options': 'nosniff' },
  }
}
