import { create } from 'zustand'
import { isApiError } from '#platform/web/calls/api-error.ts'

/** Whoever must prove again to be there is asked once, wherever they are; the frame draws it. */
export const useStepUpStore = create<{ readonly answer: ((proven: boolean) => void) | undefined }>(() => ({ answer: undefined }))

/** Resolves false where they would rather not. */
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

/** Runs a call; where it asks for a fresh proof, asks the operator and runs it again. */
export async function proven<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!isApiError(error) || error.errorName !== 'OPERATOR_STEP_UP' || !(await askStepUp())) throw error
    return call()
  }
}
