import { forget, keep, kept } from '#platform/web/state/storage.ts'

const NAME = 'support.hidden'
const LIFE_MS = 7 * 86_400_000

/** Hides the launcher for a week on the user's request; a new answer shows it again. */
export const hideLauncher = () => keep(NAME, '1', LIFE_MS)
export const showLauncher = () => forget(NAME)
export const launcherHidden = () => kept(NAME) !== undefined
