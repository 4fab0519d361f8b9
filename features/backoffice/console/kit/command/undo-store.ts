import { create } from 'zustand'

/** A command that can still be undone; the store lists the newest first. */
export interface UndoableCommand {
  readonly no: string
  readonly name: string
  readonly subject: string
  readonly until: number
  readonly onUndone: (() => void) | undefined
}

const MINUTES = 10

export const useUndoStore = create<{ readonly list: readonly UndoableCommand[] }>(() => ({ list: [] }))

export function addUndo(done: Omit<UndoableCommand, 'until'>): void {
  useUndoStore.setState(({ list }) => ({ list: [{ ...done, until: Date.now() + MINUTES * 60_000 }, ...list.filter(({ no }) => no !== done.no)].slice(0, 5) }))
}

export function removeUndo(no: string): void {
  useUndoStore.setState(({ list }) => ({ list: list.filter((one) => one.no !== no) }))
}
