import { create } from 'zustand'

export interface ConfirmRequest {
  readonly title: string
  readonly body?: string
  /** A verb: 删除, 退出登录. */
  readonly action: string
  readonly cancel?: string
  readonly danger?: boolean
}

/** `used` stays true, so that the host is mounted once and can animate its way out. */
interface State {
  readonly used: boolean
  readonly request: ConfirmRequest | undefined
  readonly answer: ((yes: boolean) => void) | undefined
}

export const useConfirmStore = create<State>(() => ({ used: false, request: undefined, answer: undefined }))

/** Asks for confirmation of an irreversible action. Resolves false on Esc. */
export function confirm(request: ConfirmRequest): Promise<boolean> {
  return new Promise((resolve) => {
    useConfirmStore.getState().answer?.(false)
    useConfirmStore.setState({ used: true, request, answer: resolve })
  })
}

export function answerConfirm(yes: boolean): void {
  useConfirmStore.getState().answer?.(yes)
  useConfirmStore.setState({ request: undefined, answer: undefined })
}
