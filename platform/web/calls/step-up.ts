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
 * A call that wants a fresh proof of who sits there: when the server asks for one, the person gives it and the same call
 * is sent again. Undefined when they closed the question; other refusals are thrown.
 */
export async function withStepUp<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call()
  } catch (error) {
    if (!isApiError(error) || error.errorName !== 'STEP_UP_REQUIRED') throw error
    return (await openStepUp()) ? call() : undefined
  }
}
