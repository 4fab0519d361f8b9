import { resolveClientAddress } from '../http/address.ts'
import type { GatewayCall } from '../call.ts'
import type { ApiKey, HotDeps } from '../deps.ts'
import { checkKeyAccess } from '../admission/limits.ts'
import { sendCallRefusal } from '../reply/reply.ts'

/**
 * Authenticates the call with the caller's key; returns false if refused. Reads memory first: returns a promise only on the first use of a
 * key.
 */
export function authenticateCall(call: GatewayCall): boolean | Promise<boolean> {
  const { head, deps } = call
  if (head.secret === undefined) {
    sendCallRefusal(call, {
      cause: 'no_key',
      message: `You did not provide an API key. Send it as "Authorization: Bearer KEY" (x-api-key, x-goog-api-key and ?key= work too). You can create a key at ${deps.brand.consoleUrl()}.`,
    })
    return false
  }
  let found: ReturnType<HotDeps['findKey']>
  try {
    found = deps.findKey(head.secret)
  } catch (error) {
    return refuseKeyLookup(call, error)
  }
  if (!(found instanceof Promise)) return acceptKey(call, found)
  return found.then(
    (key) => acceptKey(call, key),
    (error: unknown) => refuseKeyLookup(call, error),
  )
}

function refuseKeyLookup(call: GatewayCall, error: unknown): false {
  call.deps.log.error({ error, requestId: call.requestId }, 'key lookup failed')
  sendCallRefusal(call, { cause: 'unavailable', message: 'The API key cannot be checked at the moment. Try again shortly.' }, '1')
  return false
}

function acceptKey(call: GatewayCall, key: ApiKey | undefined): boolean {
  const { deps } = call
  if (key !== undefined) {
    call.apiKey = key
    if (key.seen !== undefined && key.seen.from === '') key.seen.from = resolveClientAddress(call.req, deps.proxies)
    call.deps = resolveCustomerDeps(deps, key)
    return key.limits === undefined || checkKeyAccess(call, key.limits)
  }
  sendCallRefusal(call, { cause: 'bad_key', message: `Incorrect API key provided, or it was revoked. You can find your keys at ${deps.brand.consoleUrl()}.` })
  return false
}

/** Models of a customer with negotiated prices are looked up at these prices, so that hold, quote, estimate and charge cannot differ. */
export function resolveCustomerDeps(deps: HotDeps, { userId }: Pick<ApiKey, 'userId'>): HotDeps {
  const own = deps.pricedFor?.(userId)
  return own === undefined ? deps : { ...deps, ...own }
}
