import { useEffect, useState } from 'react'

/** product.md 1.9. */
const TYPE_MS = 100
const BACK_MS = 30
const REST_MS = 1600

/** Types and deletes the words in turn. The first is shown in full at the start, and permanently with reduced motion. */
export function useTyped(words: readonly string[]): string {
  const [shown, setShown] = useState({ word: 0, length: Number.MAX_SAFE_INTEGER, back: false })
  const key = words.join('\n')
  useEffect(() => {
    const list = key.split('\n')
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    let timer: ReturnType<typeof setTimeout>
    const step = () => {
      setShown((old) => {
        const whole = list[old.word % list.length]!.length
        const length = Math.min(old.length, whole)
        const next = old.back
          ? length > 0
            ? { ...old, length: length - 1 }
            : { word: (old.word + 1) % list.length, length: 1, back: false }
          : length < whole
            ? { ...old, length: length + 1 }
            : { ...old, length, back: true }
        timer = setTimeout(step, next.back ? (next.length === whole ? REST_MS : BACK_MS) : TYPE_MS)
        return next
      })
    }
    timer = setTimeout(step, REST_MS)
    return () => clearTimeout(timer)
  }, [key])
  return (words[shown.word % words.length] ?? '').slice(0, shown.length)
}
