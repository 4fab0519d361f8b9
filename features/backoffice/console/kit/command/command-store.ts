import { create } from 'zustand'
import type { CommandWish } from './types.ts'

interface Asked {
  readonly wish: CommandWish
  readonly turn: number
}

export const useCommandStore = create<{ readonly asked: Asked | undefined }>(() => ({ asked: undefined }))
let turn = 0

/** Opens the dialog of a command: preview, reason, and the button that does it. */
export function openCommand(wish: CommandWish): void {
  useCommandStore.setState({ asked: { wish, turn: ++turn } })
}

export function closeCommand(): void {
  useCommandStore.setState({ asked: undefined })
}
