import { create } from 'zustand'
import type { CommandRequest } from './types.ts'

interface OpenedCommand {
  readonly wish: CommandRequest
  readonly turn: number
}

export const useCommandStore = create<{ readonly asked: OpenedCommand | undefined }>(() => ({ asked: undefined }))
let turn = 0

/** Opens the dialog of a command: preview, reason, and the confirm button. */
export function openCommand(wish: CommandRequest): void {
  useCommandStore.setState({ asked: { wish, turn: ++turn } })
}

export function closeCommand(): void {
  useCommandStore.setState({ asked: undefined })
}
