import { create } from 'zustand'
import { isApiError } from '#platform/web/calls/api-error.ts'

/** Pending step-up request; the app frame renders its dialog on any screen. */
export const useOperatorStepUpStore = create<{ readonly answer: ((proven: boolean) => void) | undefined }>(() => ({ answer: undefined }))

/** Resolves false if the operator cancels. */
export function requestStepUp(): Promise<boolean> {
  return new Promise((resolve) => {
    useOperatorStepUpStore.getState().answer?.(false)
    useOperatorStepUpStore.setState({ answer: resolve })
  })
}

export function resolveStepUp(proven: boolean): void {
  useOperatorStepUpStore.getState().answer?.(proven)
  useOperatorStepUpStore.setState({ answer: undefined })
}

/** Runs a call; if it requires step-up authentication, asks the operator for it and retries. */
export async function runWithStepUp<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isApiError(error) || error.errorName !== 'OPERATOR_STEP_UP' || !(await requestStepUp())) throw error
    return call()
  }
}
