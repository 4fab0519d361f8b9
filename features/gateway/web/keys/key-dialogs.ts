import { create } from 'zustand'
import { runIfFeatureOn } from '#platform/web/state/flags.ts'
import type { ApiKeyRow } from '../../contract.ts'

export interface NewApiKey {
  readonly apiToken: string
  readonly keyName: string
  /** Time until which the secret that it replaced works. */
  readonly oldEndsAt?: string
}

/** The open dialog about a key. A secret is kept here only while its dialog is open. */
interface State {
  /** True once a dialog was requested since the page was loaded. */
  readonly asked: boolean
  readonly creating: boolean
  readonly editing: ApiKeyRow | undefined
  readonly deleting: ApiKeyRow | undefined
  readonly rotating: ApiKeyRow | undefined
  readonly testing: ApiKeyRow | undefined
  readonly made: NewApiKey | undefined
  openCreate(): void
  openEdit(key: ApiKeyRow): void
  openDelete(key: ApiKeyRow): void
  openRotate(key: ApiKeyRow): void
  openTest(key: ApiKeyRow): void
  show(made: NewApiKey): void
  close(): void
}

const CLOSED_DIALOGS = { creating: false, editing: undefined, deleting: undefined, rotating: undefined, testing: undefined, made: undefined }

export const useKeyDialogs = create<State>((set) => ({
  asked: false,
  ...CLOSED_DIALOGS,
  openCreate: () => runIfFeatureOn('createKey', () => set({ ...CLOSED_DIALOGS, asked: true, creating: true })),
  openEdit: (key) => runIfFeatureOn('modifyKey', () => set({ ...CLOSED_DIALOGS, asked: true, editing: key })),
  openDelete: (key) => runIfFeatureOn('deleteKey', () => set({ ...CLOSED_DIALOGS, asked: true, deleting: key })),
  openRotate: (key) => runIfFeatureOn('modifyKey', () => set({ ...CLOSED_DIALOGS, asked: true, rotating: key })),
  openTest: (key) => set({ ...CLOSED_DIALOGS, asked: true, testing: key }),
  show: (made) => set({ ...CLOSED_DIALOGS, asked: true, made }),
  close: () => set(CLOSED_DIALOGS),
}))
