import { create } from 'zustand'
import { translate } from '../i18n.ts'
import { askNotice } from './notice.ts'
import { readFlags } from './read-flags.ts'
import { webTexts } from '../texts.ts'

const PATH = '/features.yaml'

/** What the operator switched off. Everything is on by default, and while the file cannot be read. */
const useFlags = create<{ readonly off: ReadonlySet<string> }>(() => ({ off: new Set() }))

/** False while the operator has this feature switched off (`features:` in the YAML file). The server refuses as well. */
export function useFeature(name: string): boolean {
  return useFlags((state) => !state.off.has(name))
}

export function featureOn(name: string): boolean {
  return !useFlags.getState().off.has(name)
}

/** Runs the action, or says in a warning that it is switched off. */
export function whenOn(name: string, action: () => void): void {
  if (featureOn(name)) action()
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

/** Reads the file anew, never from a cache. */
export async function loadFlags(): Promise<void> {
  try {
    const reply = await fetch(PATH, { cache: 'no-store', credentials: 'omit' })
    if (!reply.ok) return
    const flags = readFlags(await reply.text())
    useFlags.setState({ off: new Set(Object.keys(flags).filter((name) => flags[name] === false)) })
  } catch {
    // Unreachable: what was known stays; at first, everything is on.
  }
}
