import type { AuthMode } from './draft.ts'

/** Props of the three forms. */
export interface FormProps {
  readonly onMode: (mode: AuthMode) => void
  readonly redirect: string | undefined
}
