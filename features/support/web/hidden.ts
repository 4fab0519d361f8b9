import { removeStored, storeValue, readStored } from '#platform/web/state/storage.ts'

const NAME = 'support.hidden'
const LIFE_MS = 7 * 86_400_000

/** Hides the launcher for a week on the user's request; a new answer shows it again. */
export const hideLauncher = () => storeValue(NAME, '1', LIFE_MS)
export const showLauncher = () => removeStored(NAME)
export const isLauncherHidden = () => readStored(NAME) !== undefined
