import { create } from 'zustand'
import { translate } from '../i18n.ts'
import { askNotice } from './notice.ts'
import { webTexts } from '../texts.ts'

interface Flags {
  /** Features that the operator switched off. Everything is on by default, and while the file cannot be read. */
  readonly off: ReadonlySet<string>
  /** Features among them that users in the gradual group may still use. */
  readonly gradual: ReadonlySet<string>
  /** The user is in the gradual group. */
  readonly isMember: boolean
}
const useFlags = create<Flags>(() => ({ off: new Set(), gradual: new Set(), isMember: false }))
const isOn = ({ off, gradual, isMember }: Flags, name: string) => !off.has(name) || (isMember && gradual.has(name))

/** False while the operator has this feature switched off (`features:` in the YAML file). The server refuses as well. */
export function useFeature(name: string): boolean {
  return useFlags((state) => isOn(state, name))
}

export function isFeatureOn(name: string): boolean {
  return isOn(useFlags.getState(), name)
}

/** True if some feature is limited to the gradual group, so that the user's membership matters. */
export const useHasGradual = (): boolean => useFlags((state) => state.gradual.size > 0)

export const setGradualMember = (isMember: boolean): void => useFlags.setState({ isMember })

/** Runs the action, or warns that it is switched off. */
export function runIfFeatureOn(name: string, action: () => void): void {
  if (isFeatureOn(name)) action()
  else void warnFeatureOff()
}

export async function warnFeatureOff(): Promise<void> {
  await askNotice({
    kind: 'warning',
    title: translate(webTexts, 'featureOff'),
    body: translate(webTexts, 'featureOffBody'),
    action: translate(webTexts, 'gotIt'),
  })
}

/** Stores the flags read from /features.yaml. */
export const setFlags = (off: ReadonlySet<string>, gradual: ReadonlySet<string>): void => useFlags.setState({ off, gradual })
