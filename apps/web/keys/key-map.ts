import { create } from 'zustand'
import { storeValue, readStored } from '#platform/web/state/storage.ts'
import type { layerTexts } from '../layer-texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

type LayerTextKey = TextKeyOf<typeof layerTexts>
interface Shortcut {
  readonly keys: readonly string[]
  readonly text: LayerTextKey
  /** The palette command that it runs. */
  readonly command: string
}

/** Shortcuts after G, within a second and a half. */
export const GO_SHORTCUTS: readonly Shortcut[] = [
  { keys: ['G', 'O'], text: 'overview', command: 'overview' },
  { keys: ['G', 'K'], text: 'keys', command: 'keys' },
  { keys: ['G', 'Q'], text: 'requests', command: 'requests' },
  { keys: ['G', 'U'], text: 'usage', command: 'usage' },
  { keys: ['G', 'R'], text: 'records', command: 'records' },
  { keys: ['G', 'P'], text: 'prices', command: 'prices' },
  { keys: ['G', 'C'], text: 'card', command: 'card' },
  { keys: ['G', 'A'], text: 'settings', command: 'account' },
  { keys: ['G', 'H'], text: 'helpCentre', command: 'help' },
]
export const SINGLE_SHORTCUTS: readonly Shortcut[] = [
  { keys: ['N'], text: 'newKey', command: 'newKey' },
  { keys: ['/'], text: 'focusFilter', command: 'focusFilter' },
  { keys: ['?'], text: 'shortcuts', command: 'shortcuts' },
]

/** On my card only; the page itself listens (features/cards/web/card/working-card.tsx). */
export const CARD_SHORTCUTS: readonly Omit<Shortcut, 'command'>[] = [
  { keys: ['V'], text: 'cardView' },
  { keys: ['F'], text: 'cardFreeze' },
  { keys: ['R'], text: 'cardRecharge' },
  { keys: ['B'], text: 'cardBills' },
]

const STORAGE_NAME = 'shortcuts'
const YEAR_MS = 31_536_000_000

/** Shortcuts without Ctrl or Cmd can be switched off, for users of speech input (WCAG 2.1.4). */
export const useShortcutsOn = create<{ readonly on: boolean }>(() => ({ on: true }))
if (typeof document !== 'undefined') useShortcutsOn.setState({ on: readStored(STORAGE_NAME) !== 'off' })

export function setShortcutsOn(on: boolean): void {
  storeValue(STORAGE_NAME, on ? 'on' : 'off', YEAR_MS)
  useShortcutsOn.setState({ on })
}
