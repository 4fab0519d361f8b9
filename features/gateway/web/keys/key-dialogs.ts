import { create } from 'zustand'
import { whenOn } from '#platform/web/state/flags.ts'
import type { KeyRow } from '../../contract.ts'

export interface MadeKey {
  readonly apiToken: string
  readonly keyName: string
  /** Until when the secret that it replaced works. */
  readonly oldEndsAt?: string
}

/** Which dialog about a key is open. A secret lives here only while its dialog is open. */
interface State {
  /** One has been asked for since the page was loaded. */
  readonly asked: boolean
  readonly creating: boolean
  readonly renaming: KeyRow | undefined
  readonly deleting: KeyRow | undefined
  readonly rotating: KeyRow | undefined
  readonly testing: KeyRow | undefined
  readonly made: MadeKey | undefined
  openCreate(): void
  openRename(key: KeyRow): void
  openDelete(key: KeyRow): void
  openRotate(key: KeyRow): void
  openTest(key: KeyRow): void
  show(made: MadeKey): void
  close(): void
}

const closed = { creating: false, renaming: undefined, deleting: undefined, rotating: undefined, testing: undefined, made: undefined }

export const useKeyDialogs = create<State>((set) => ({
  asked: false,
  ...closed,
  openCreate: () => whenOn('createKey', () => set({ ...closed, asked: true, creating: true })),
  openRename: (key) => whenOn('modifyKey', () => set({ ...closed, asked: true, renaming: key })),
  openDelete: (key) => whenOn('deleteKey', () => set({ ...closed, asked: true, deleting: key })),
  openRotate: (key) => whenOn('modifyKey', () => set({ ...closed, asked: true, rotating: key })),
  openTest: (key) => set({ ...closed, asked: true, testing: key }),
  show: (made) => set({ ...closed, asked: true, made }),
  close: () => set(closed),
}))
