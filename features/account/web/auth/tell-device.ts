import { randomCode } from '#platform/shared/ids.ts'
import { told } from '#platform/web/calls/api.ts'
import { keep, kept } from '#platform/web/state/storage.ts'

/** Keys under `once.` outlive a session (state/storage.ts). */
const NAME = 'once.device'
const YEAR_MS = 31_536_000_000

/** Sends a random name of this browser with each sign-in, so that one person's many accounts can be linked. */
export function tellDevice(): void {
  const name = kept(NAME) ?? randomCode(20)
  keep(NAME, name, YEAR_MS)
  told['device'] = name
}
