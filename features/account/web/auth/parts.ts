import type { AuthMode } from './draft.ts'

/** What each of the three forms is given. */
export interface FormProps {
  readonly onMode: (mode: AuthMode) => void
  readonly redirect: string | undefined
}
