import { createRandomCode } from '#platform/shared/ids.ts'
import { fixedHeaders } from '#platform/web/calls/api.ts'
import { storeValue, readStored } from '#platform/web/state/storage.ts'

/** Keys under `once.` outlive a session (state/storage.ts). */
const NAME = 'once.device'
const YEAR_MS = 31_536_000_000

/** Sends a random name of this browser with each sign-in, so that one person's many accounts can be linked. */
export function attachDeviceName(): void {
  const name = readStored(NAME) ?? createRandomCode(20)
  storeValue(NAME, name, YEAR_MS)
  fixedHeaders['device'] = name
}
