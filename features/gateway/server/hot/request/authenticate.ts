import { clientAddress } from './address.ts'
import type { Call } from '../call.ts'
import type { ApiKey, HotDeps } from '../deps.ts'
import { isWelcome } from '../admission/limits.ts'
import { refuse } from '../answer/reply.ts'

/** Puts the caller's key on the call; false when it was refused. Memory first: a promise only on the first sight of a key. */
export async function authenticate(call: Call): Promise<boolean> {
  const { head, deps } = call
  const console = deps.brand.consoleUrl()
  if (head.secret === undefined) {
    refuse(call, {
      cause: 'no_key',
      message: `You did not provide an API key. Send it as "Authorization: Bearer KEY" (x-api-key, x-goog-api-key and ?key= work too). You can create a key at ${console}.`,
    })
    return false
  }
  try {
    const found = deps.findKey(head.secret)
    call.apiKey = found instanceof Promise ? await found : found
  } catch (error) {
    deps.log.error({ error, requestId: call.requestId }, 'key lookup failed')
    refuse(call, { cause: 'unavailable', message: 'The API key cannot be checked at the moment. Try again shortly.' }, '1')
    return false
  }
  const seen = call.apiKey?.seen
  if (seen !== undefined && seen.from === '') seen.from = clientAddress(call.req, deps.proxies)
  if (call.apiKey !== undefined) call.deps = ownDeps(deps, call.apiKey)
  if (call.apiKey !== undefined) return call.apiKey.limits === undefined || isWelcome(call, call.apiKey.limits)
  refuse(call, { cause: 'bad_key', message: `Incorrect API key provided, or it was revoked. You can find your keys at ${console}.` })
  return false
}

/** For a customer who has negotiated prices, models are found at these: hold, quote, estimate and charge cannot differ. */
export function ownDeps(deps: HotDeps, { userId }: Pick<ApiKey, 'userId'>): HotDeps {
  const own = deps.pricedFor?.(userId)
  return own === undefined ? deps : { ...deps, ...own }
}
