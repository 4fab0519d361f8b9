import { create } from 'zustand'
import { isApiError } from './api-error.ts'

interface State {
  /** Stays true, so that the host is mounted once. */
  readonly used: boolean
  readonly asked: { readonly answer: (done: boolean) => void } | undefined
}

/** Read by the host (features/account/web). */
export const useStepUpStore = create<State>(() => ({ used: false, asked: undefined }))

function openStepUp(): Promise<boolean> {
  return new Promise((resolve) => {
    useStepUpStore.getState().asked?.answer(false)
    const answer = (done: boolean) => {
      useStepUpStore.setState({ asked: undefined })
      resolve(done)
    }
    useStepUpStore.setState({ used: true, asked: { answer } })
  })
}

/**
 * Runs a call that may need re-authentication: when the server requires it, the user re-authenticates and the same call is sent again.
 * Undefined if the user closed the dialog; other refusals are thrown.
 */
export async function withStepUp<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call()
  } catch (error) {
    if (!isApiError(error) || error.errorName !== 'STEP_UP_REQUIRED') throw error
    return (await openStepUp()) ? call() : undefined
  }
}
