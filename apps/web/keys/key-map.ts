import { create } from 'zustand'
import { keep, kept } from '#platform/web/state/storage.ts'
import type { layerTexts } from '../layer-texts.ts'

type Word = keyof (typeof layerTexts)['zh']
interface Key {
  readonly keys: readonly string[]
  readonly text: Word
  /** The palette command that it runs. */
  readonly command: string
}

/** After G, within a second and a half. */
export const GO: readonly Key[] = [
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
export const SINGLE: readonly Key[] = [
  { keys: ['N'], text: 'newKey', command: 'newKey' },
  { keys: ['/'], text: 'focusFilter', command: 'focusFilter' },
  { keys: ['?'], text: 'shortcuts', command: 'shortcuts' },
]

/** On my card only; the page itself listens (features/cards/web/card/use-card-keys.ts). */
export const ON_CARD: readonly Omit<Key, 'command'>[] = [
  { keys: ['V'], text: 'cardView' },
  { keys: ['F'], text: 'cardFreeze' },
  { keys: ['R'], text: 'cardRecharge' },
  { keys: ['B'], text: 'cardBills' },
]

const NAME = 'shortcuts'
const YEAR_MS = 31_536_000_000

/** Keys without Ctrl or Cmd can be switched off, for those who speak to their computer (WCAG 2.1.4). */
export const useKeysOn = create<{ readonly on: boolean }>(() => ({ on: true }))
if (typeof document !== 'undefined') useKeysOn.setState({ on: kept(NAME) !== 'off' })

export function setKeysOn(on: boolean): void {
  keep(NAME, on ? 'on' : 'off', YEAR_MS)
  useKeysOn.setState({ on })
}
