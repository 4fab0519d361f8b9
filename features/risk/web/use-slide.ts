import { useCallback, useEffect, useRef, useState } from 'react'
import { retryCaptcha, passCaptcha, type SlideChallenge } from './captcha-flow.ts'
import { riskApi } from './risk-api.ts'

const STEP = 6
const FINE = 1
const PAGE = 30
/** The server takes no more points than 400; a long drag keeps its newest in the last place. */
const MAX_TRAIL = 390

/** Moves the piece by pointer or keys, keeps its way, and puts it. */
export function useSlide(challenge: SlideChallenge) {
  const max = challenge.width - challenge.pieceSize
  const [x, setX] = useState(0)
  const [state, setState] = useState<'ready' | 'moving' | 'checking' | 'wrong'>('ready')
  const [triesLeft, setTriesLeft] = useState<number>()
  const [failure, setFailure] = useState<string>()
  const way = useRef<[number, number][]>([])
  const startedAt = useRef(0)

  useEffect(() => {
    const timer = setTimeout(() => retryCaptcha('slide', 'captcha.retryTips'), Math.max(0, challenge.expiresInSeconds - 5) * 1000)
    return () => clearTimeout(timer)
  }, [challenge])

  const move = useCallback(
    (to: number) => {
      const next = Math.min(max, Math.max(0, to))
      if (!way.current.length) {
        startedAt.current = performance.now()
        way.current.push([0, 0])
      }
      const point: [number, number] = [Math.round(performance.now() - startedAt.current), Math.round(next * 10) / 10]
      if (way.current.length < MAX_TRAIL) way.current.push(point)
      else way.current[way.current.length - 1] = point
      setX(point[1])
      setState('moving')
      setFailure(undefined)
    },
    [max],
  )

  const put = useCallback(async () => {
    const trail = way.current
    way.current = []
    if (!trail.length) return
    setState('checking')
    try {
      const verdict = await riskApi.moveSlide({ id: challenge.id, x: trail.at(-1)![1], trail })
      if (verdict.passed) return passCaptcha(verdict.param)
      if (verdict.triesLeft === 0) return retryCaptcha('slide', 'captcha.wrongNew')
      setTriesLeft(verdict.triesLeft)
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
    setX(0)
    setState('wrong')
  }, [challenge])

  /** True when the key was one of ours. */
  const key = (name: string, fine: boolean): boolean => {
    const step = fine ? FINE : STEP
    const to: Readonly<Record<string, number>> = {
      ArrowRight: x + step,
      ArrowUp: x + step,
      ArrowLeft: x - step,
      ArrowDown: x - step,
      PageUp: x + PAGE,
      PageDown: x - PAGE,
      Home: 0,
      End: max,
    }
    if (name === 'Enter' || name === ' ') void put()
    else if (name in to) move(to[name]!)
    else return false
    return true
  }

  return { x, max, state, triesLeft, failure, move, put, key }
}
