import { create } from 'zustand'
import { isApiError } from '#platform/web/calls/api-error.ts'

/** Pending step-up request; the app frame renders its dialog on any screen. */
export const useStepUpStore = create<{ readonly answer: ((proven: boolean) => void) | undefined }>(() => ({ answer: undefined }))

/** Resolves false if the operator cancels. */
export function askStepUp(): Promise<boolean> {
  return new Promise((resolve) => {
    useStepUpStore.getState().answer?.(false)
    useStepUpStore.setState({ answer: resolve })
  })
}

export function answerStepUp(proven: boolean): void {
  useStepUpStore.getState().answer?.(proven)
  useStepUpStore.setState({ answer: undefined })
}

/** Runs a call; if it requires step-up authentication, asks the operator for it and retries. */
export async function proven<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isApiError(error) || error.errorName !== 'OPERATOR_STEP_UP' || !(await askStepUp())) throw error
    return call()
  }
}
