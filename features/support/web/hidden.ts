import { forget, keep, kept } from '#platform/web/state/storage.ts'

const NAME = 'support.hidden'
const LIFE_MS = 7 * 86_400_000

/** Who finds the launcher in the way hides it for a week; a new answer brings it back. */
export const hideLauncher = () => keep(NAME, '1', LIFE_MS)
export const showLauncher = () => forget(NAME)
export const launcherHidden = () => kept(NAME) !== undefined
