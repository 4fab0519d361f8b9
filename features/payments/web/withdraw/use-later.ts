import { useEffect, useState } from 'react'

/** The value as it was when it last stood still for so long. */
export function useLater<V>(value: V, pauseMs: number): V {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
