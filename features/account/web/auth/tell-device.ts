import { randomCode } from '#platform/shared/ids.ts'
import { told } from '#platform/web/calls/api.ts'
import { keep, kept } from '#platform/web/state/storage.ts'

/** What is kept under `once.` outlives a session (state/storage.ts). */
const NAME = 'once.device'
const YEAR_MS = 31_536_000_000

/** Whoever signs in tells the random name of this browser, so that one person's many accounts are seen as what they are. */
export function tellDevice(): void {
  const name = kept(NAME) ?? randomCode(20)
  keep(NAME, name, YEAR_MS)
  told['device'] = name
}
