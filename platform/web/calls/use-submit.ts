import { useRef, useState } from 'react'
import { isApiError, type ApiError } from './api-error.ts'

const SLOW_MS = 5_000

/**
 * One submit at a time. `slow` turns true after five seconds without a response; `failure` is the error; the input is kept in every case.
 */
export function useSubmit() {
  const busy = useRef(false)
  const [isRunning, setRunning] = useState(false)
  const [slow, setSlow] = useState(false)
  const [failure, setFailure] = useState<Error>()

  const run = async (action: () => Promise<void>): Promise<ApiError | undefined> => {
    if (busy.current) return undefined
    busy.current = true
    setRunning(true)
    setFailure(undefined)
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    try {
      await action()
      return undefined
    } catch (error) {
      setFailure(error instanceof Error ? error : new Error(String(error)))
      if (isApiError(error)) return error
      throw error
    } finally {
      clearTimeout(timer)
      busy.current = false
      setSlow(false)
      setRunning(false)
    }
  }
  return { run, isRunning, slow, failure, clear: () => setFailure(undefined) }
}
