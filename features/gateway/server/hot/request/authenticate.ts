import { clientAddress } from '../http/address.ts'
import type { Call } from '../call.ts'
import type { ApiKey, HotDeps } from '../deps.ts'
import { isWelcome } from '../admission/limits.ts'
import { refuse } from '../reply/reply.ts'

/** Puts the caller's key on the call; false when it was refused. Memory first: a promise only on the first sight of a key. */
export function authenticate(call: Call): boolean | Promise<boolean> {
  const { head, deps } = call
  if (head.secret === undefined) {
    refuse(call, {
      cause: 'no_key',
      message: `You did not provide an API key. Send it as "Authorization: Bearer KEY" (x-api-key, x-goog-api-key and ?key= work too). You can create a key at ${deps.brand.consoleUrl()}.`,
    })
    return false
  }
  let found: ReturnType<HotDeps['findKey']>
  try {
    found = deps.findKey(head.secret)
  } catch (error) {
    return failed(call, error)
  }
  if (!(found instanceof Promise)) return take(call, found)
  return found.then(
    (key) => take(call, key),
    (error: unknown) => failed(call, error),
  )
}

function failed(call: Call, error: unknown): false {
  call.deps.log.error({ error, requestId: call.requestId }, 'key lookup failed')
  refuse(call, { cause: 'unavailable', message: 'The API key cannot be checked at the moment. Try again shortly.' }, '1')
  return false
}

function take(call: Call, key: ApiKey | undefined): boolean {
  const { deps } = call
  if (key !== undefined) {
    call.apiKey = key
    if (key.seen !== undefined && key.seen.from === '') key.seen.from = clientAddress(call.req, deps.proxies)
    call.deps = ownDeps(deps, key)
    return key.limits === undefined || isWelcome(call, key.limits)
  }
  refuse(call, { cause: 'bad_key', message: `Incorrect API key provided, or it was revoked. You can find your keys at ${deps.brand.consoleUrl()}.` })
  return false
}

/** For a customer who has negotiated prices, models are found at these: hold, quote, estimate and charge cannot differ. */
export function ownDeps(deps: HotDeps, { userId }: Pick<ApiKey, 'userId'>): HotDeps {
  const own = deps.pricedFor?.(userId)
  return own === undefined ? deps : { ...deps, ...own }
}
